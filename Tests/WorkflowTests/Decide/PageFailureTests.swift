import Testing
import WorkflowTesting

@testable import EventLog
@testable import Inspection
@testable import SwedbankPay

/// The PSP's page reports a failure.
@Suite struct PageFailureTests {
    private static let failure = PageFailure(
        origin: .plain("view"),
        messageID: .plain("timeout"),
        details: .sealed(.sample("https://shop.example/pay?token=1"))
    )

    @Test func `the members of a page failure are separate in the events and in the masked view`()
        throws
    {
        let spec = payment().ready(.withEverything).when(.menu(.menu))
        let failed = spec.when(client: .pageFailed(Self.failure))
        let closed = failed.newest.compactMap { event -> MenuClosed? in
            if case .menuClosed(let closed) = event { closed } else { nil }
        }
        #expect(closed.map(\.failure) == [Self.failure])
        #expect(closed.map(\.outcome) == [.failed] && closed[0].error == nil)
        #expect(failed.state.problem?.problem.failure == Self.failure)
        #expect(failed.state.problem?.problem.kind == .menuFailed)
        let view = SessionView(failed.state, by: failed.decider, disclosing: .masked).json
        let told = view["problem"]?["failure"]
        #expect(told?["origin"] == .string("view"))
        #expect(told?["messageId"] == .string("timeout"))
        // Text that may quote a secret is masked.
        guard case .string(let details)? = told?["details"] else {
            Issue.record("\(String(describing: told))")
            return
        }
        #expect(!details.contains("shop.example"))
        // Repeating the report is accepted, another one is refused.
        failed.when(client: .pageFailed(Self.failure)).thenNothing()
        failed.when(client: .failed(error: .plain("x")))
            .then(rejected: .actionAlreadyReported(closed[0].action))
    }

    @Test func `each member of a reported page failure is screened on its own`() throws {
        var secrets = SecretTable()
        let response = ClientReport.pageFailed(
            origin: "view",
            messageID: "timeout",
            details: "see https://shop.example/pay?token=4711"
        )
        let keys = try #require(SessionKeys(dataKey: Array(0..<32)))
        let outcome = response.sealed(in: &secrets, with: keys)
        guard case .pageFailed(let failure) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(failure.origin == .plain("view") && failure.messageID == .plain("timeout"))
        guard case .sealed? = failure.details else {
            Issue.record("\(String(describing: failure.details))")
            return
        }
    }
}
