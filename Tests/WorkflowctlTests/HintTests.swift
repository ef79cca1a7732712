import ArgumentParser
import Foundation
import Testing

@testable import Sandbox
@testable import workflowctl

/// The commands in messages can be run as they are printed.
@Suite struct HintTests {
    /// A command in a message of the program.
    struct Hint: CustomStringConvertible, Sendable {
        var line: String
        var place: String

        var description: String { "\(place): \(line)" }
    }

    /// Every command in quotation marks in the sources of the program and of its adapters, with a
    /// session for its placeholder.
    static let all: [Hint] = {
        var root = URL(filePath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        return ["workflowctl", "Adapters"].flatMap {
            Self.hints(below: root.appending(path: "Sources/" + $0))
        }
    }()

    private static func hints(below folder: URL) -> [Hint] {
        let files =
            FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        var hints: [Hint] = []
        for file in files.sorted() where file.hasSuffix(".swift") {
            // A suggestion is derived from the input, and is tested with that.
            guard !file.hasSuffix("Suggestion.swift") else { continue }
            let path = folder.appending(path: file)
            let text = (try? String(contentsOf: path, encoding: .utf8)) ?? ""
            for line in text.split(separator: "\n") where !line.contains("///") {
                let named = line.replacing(
                    "\\(global.call(invocation.program))",
                    with: "workflowctl"
                )
                .replacing("\\(program)", with: "workflowctl")
                .replacing("\\(call)", with: "workflowctl")
                for match in named.matches(of: /'workflowctl([^']*)'/) {
                    let words = match.1.replacing(
                        /\\\([^()]*\)/,
                        with: "0192f0c1-7c1e-7d3a-9b1e-0a1b2c3d4e5f"
                    )
                    hints.append(Hint(line: String(words), place: file))
                }
            }
        }
        return hints
    }

    @Test func `more than 30 commands to paste are found in the sources`() {
        #expect(Self.all.count > 30)
    }

    @Test(arguments: all)
    func `no command that a message suggests is a usage error`(hint: Hint) throws {
        let shell = hint.line.split(separator: "<").first ?? ""
        let arguments = ArgumentOrder.commandFirst(shell.split(separator: " ").map(String.init))
        do {
            let command = try Workflowctl.parseAsRoot(arguments)
            try (command as? any Command)?.refuseBadArguments()
        } catch let failure as Failure {
            Issue.record("\(hint): \(failure)")
        } catch {
            #expect(Workflowctl.exitCode(for: error) == .success, "\(hint)")
        }
    }

    /// Runs the command in a diagnostic as it is printed.
    private func paste(_ diagnostics: String, in world: World) async throws -> Tool.Result {
        let line = try #require(
            diagnostics.firstMatch(of: /'([^' ]*workflowctl [^']+)'/)?.1,
            "\(diagnostics)"
        )
        return try await world.tool.shell(String(line))
    }

    @Test func `a refused capture or cancellation suggests a command that works`()
        async throws
    {
        try await Checkout.world { world, _ in
            let order = try await world.create()
            try await world.elsewhere(order)
            _ = try await world.merchant("order", "show", order.session)
            let captured = try await world.merchant("order", "capture", order.session)
            #expect(captured.status == 0, "\(captured.diagnostics)")
            let none = try await world.merchant("order", "capture", order.session)
            #expect(none.diagnostics.contains("[order.nothing-left]"))
            #expect(try await paste(none.diagnostics, in: world).status == 0)
            let late = try await world.merchant("order", "cancel", order.session)
            #expect(late.status == 1 && late.diagnostics.contains("[order.refused]"))
            #expect(late.diagnostics.contains("nothing was sent"), "\(late.diagnostics)")
            #expect(await world.sandbox.orderLedger(order.id)?.cancellations == 0)
            #expect(try await paste(late.diagnostics, in: world).status == 0)
            let story = try await world.run("explain", order.session)
            #expect(story.output.contains("requested a new read of the order"), "\(story.output)")
            #expect(!story.output.contains("new read of the session"))
        }
    }

    @Test func `a command refused on an ended session suggests one that shows how it ended`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open()
            #expect(try await world.run("abort", session).status == 0)
            let late = try await world.run("attempt", session, "swish")
            #expect(late.status == 1 && late.diagnostics.contains("[session.ended]"))
            let shown = try await paste(late.diagnostics, in: world)
            #expect(shown.status == 0 && shown.output.contains("canceled"))
        }
    }

    @Test func `an unknown event type is refused instead of matching nothing`()
        async throws
    {
        try await World.with { world in
            let (session, _) = try await world.open()
            for form in [[], ["--json"]] {
                let refused = try await world.tool.run(
                    ["log", session, "--type", "nonsense"] + form
                )
                #expect(refused.status == 64 && refused.diagnostics.contains("[usage.type]"))
                #expect(refused.diagnostics.contains("operationFailed"))
            }
            #expect(try await world.run("log", session, "--type", "operationFailed").status == 0)
            let other = "0192f0c1-7c1e-7d3a-9b1e-0a1b2c3d4e5f"
            let both = try await world.run("explain", session, "--session", other)
            #expect(both.status == 64 && both.diagnostics.contains("[usage.stray-option]"))
            #expect(try await world.run("explain", session, "--session", session).status == 0)
        }
    }

    @Test func `while the PSP responds with 503, open prints the reason and the time of the retry`()
        async throws
    {
        try await World.with { world in
            let created = try await world.sandbox.createOrder(SandboxOrder())
            try await world.sandbox.install(
                Fault(rel: "session", requests: .every, kind: .status(503, retryAfterSeconds: 120)),
                order: created.id
            )
            let opened = try await world.run("--wait", "5s", "open", created.sessionURL)
            #expect(opened.status == 0 && opened.output.contains("not settled"))
            #expect(opened.diagnostics.contains("HTTP 503"), "\(opened.diagnostics)")
            #expect(opened.diagnostics.contains(/retried at \d\d:\d\d:\d\d UTC/))
        }
    }

    @Test(
        arguments: [
            ("JPY", "order      Initialized 649 JPY"), ("KWD", "order      Initialized 0.649 KWD"),
            ("SEK", "order      Initialized 6.49 SEK"),
        ]
    )
    func `an order's amount is shown with the decimals of its currency`(
        currency: String,
        line: String
    ) async throws {
        try await Checkout.world { world, _ in
            let order = try await world.create(
                Checkout.order(amount: 649).replacing("SEK", with: currency)
            )
            let shown = try await world.run("show", order.session)
            #expect(shown.output.contains(line), "\(shown.output)")
        }
    }

    @Test func `an argument error shows what would be valid`() async throws {
        try await Checkout.world { world, _ in
            let session = "0192f0c1-7c1e-7d3a-9b1e-0a1b2c3d4e5f"
            let path = try world.write(
                Checkout.order().replacing("https://shop.example/complete", with: "ftp://x/"),
                to: "order.json"
            )
            for (arguments, code, hint) in [
                (
                    ["order", "capture", session, "--amount", "0"], "usage.amount",
                    "10000 is 100.00"
                ),
                (["attempt", session, "apple-pay"], "usage.merchant-id", "merchant.example.shop"),
                (
                    ["order", "create", path, "--psp", "https://u:p@shop.example/"],
                    "usage.gateway", "https://HOST/PATH"
                ),
                (
                    ["order", "create", path, "--psp", world.sandbox.baseURL], "order.invalid",
                    "https://HOST/PATH"
                ),
                (["list", "--store", path], "usage.store", "sqlite:\(path)"),
                (["list", "--store", "c0ffee"], "usage.store", "use --store sqlite:PATH"),
            ] {
                let refused = try await world.tool.run(["--allow-insecure-loopback"] + arguments)
                #expect(refused.status == 64, "\(refused.diagnostics)")
                #expect(refused.diagnostics.contains("[\(code)]"), "\(refused.diagnostics)")
                #expect(refused.diagnostics.contains(hint), "\(refused.diagnostics)")
            }
        }
    }
}
