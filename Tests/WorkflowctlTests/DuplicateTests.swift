import Foundation
import TestSupport
import Testing

@testable import Sandbox

/// Orders that were paid in several sessions.
@Suite struct DuplicateTests {
    private func order(_ reference: String) -> String {
        Checkout.order().replacingOccurrences(
            of: #""payeeId":"shop","#,
            with: #""payeeId":"shop","orderReference":"\#(reference)","#
        )
    }

    @Test func `two paid checkouts of one order are told everywhere until one is refunded`()
        async throws
    {
        try await Checkout.world { world, _ in
            let one = try await world.create(order("lamp-1"))
            let two = try await world.create(order("lamp-1"))
            let other = try await world.create(order("lamp-2"))
            for paid in [one, other] { try await world.pay(paid) }
            try await expect([], of: one, in: world)
            try await world.pay(two)
            try await expect([two.session], of: one, in: world)
            try await expect([one.session], of: two, in: world)
            try await expect([], of: other, in: world)
            let text = try await world.run("explain", one.session).output
            #expect(
                text.contains("The same order lamp-1 was also paid in \(two.session.suffix(8)).")
            )
            _ = try await world.merchant("order", "capture", one.session)
            let captured = try await world.run("explain", one.session).output
            #expect(
                captured.contains("The merchant has to decide about the possible duplicate."),
                "\(captured)"
            )
            let canceled = try await world.merchant("order", "cancel", two.session)
            #expect(canceled.status == 0, "\(canceled.diagnostics)")
            try await expect([], of: one, in: world)
            try await expect([], of: two, in: world)
            let settled = try await world.run("explain", one.session).output
            #expect(settled.contains("Nothing has to be done"), "\(settled)")
        }
    }

    /// Expects what each command says of a session's order.
    private func expect(
        _ others: [String],
        of order: Order,
        in world: World,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let shown = try await world.run("show", order.session, "--json")
        try await SchemaCheck.expect(shown.output, fits: "session-view", in: world)
        let list = try shown.json["possibleDuplicates"].list.map(\.text)
        #expect(list == others, sourceLocation: sourceLocation)
        let read = try await world.merchant("order", "show", order.session, "--json")
        #expect(
            try read.json["possibleDuplicates"].list.map(\.text) == others,
            sourceLocation: sourceLocation
        )
        let explained = try await world.run("explain", order.session, "--json")
        try await SchemaCheck.expect(explained.output, fits: "cli/explain", in: world)
        let told = try explained.json["possibleDuplicates"].list.map(\.text)
        #expect(told == others, sourceLocation: sourceLocation)
        for option in [[], ["--from-logs"]] {
            let risk = try await world.tool.run(["at-risk", "--json"] + option)
            try await SchemaCheck.expect(risk.output, fits: "cli/at-risk", in: world)
            let found = try risk.json["possibleDuplicates"].list
                .flatMap { $0["payments"].list.map { $0["session"].text ?? "" } }
            #expect(
                found.contains(order.session) == !others.isEmpty,
                "\(risk.output)",
                sourceLocation: sourceLocation
            )
        }
        let listed = try await world.run("list", "--possible-duplicates").output
        #expect(
            listed.contains(order.session) == !others.isEmpty,
            "\(listed)",
            sourceLocation: sourceLocation
        )
        guard !others.isEmpty else { return }
        let metrics = try await world.run("metrics").output
        #expect(
            metrics.contains("\npayment_workflow_possible_duplicates 1\n"),
            "\(metrics)",
            sourceLocation: sourceLocation
        )
    }
}

extension World {
    /// Pays an order without the program, which then reads it.
    fileprivate func pay(_ order: Order) async throws {
        try await elsewhere(order)
        let shown = try await merchant("order", "show", order.session)
        #expect(shown.status == 0, "\(shown.diagnostics)")
    }
}
