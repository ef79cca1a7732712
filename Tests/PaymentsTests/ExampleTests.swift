import Foundation
import Sandbox
import TestSupport
import Testing

/// The examples as processes of their own, against a sandbox over HTTP, whose ledger is the judge.
@Suite(.timeLimit(.minutes(10))) struct ExampleTests {
    @Test(.feature("S-03")) func `the first example pays`() async throws {
        try await withSandbox { sandbox, folder in
            let order = try await sandbox.createOrder()
            let example = try Self.start("FirstPayment", in: folder, order.sessionURL)
            try await sandbox.approve(Self.link(in: await example.line()))
            #expect(await example.line() == "completed")
            #expect(await example.ending().status == 0)
            await Self.expectPaidOnce(sandbox)
        }
    }

    @Test
    func
        `the first example pays once although it is killed during its payment and restarted`()
        async throws
    {
        try await withSandbox { sandbox, folder in
            let order = try await sandbox.createOrder()
            let killed = try Self.start("FirstPayment", in: folder, order.sessionURL)
            let link = try Self.link(in: await killed.line())
            await killed.end()
            #expect(await killed.ending().wasKilled)
            #expect(await sandbox.ledger.paidOrders == 0)
            // The payer does not know of the crash.
            try await sandbox.approve(link)
            let next = try Self.start("FirstPayment", in: folder, order.sessionURL)
            var said: [String] = []
            while let line = await next.line() { said.append(line) }
            #expect(said.last == "completed")
            #expect(await next.ending().status == 0)
            await Self.expectPaidOnce(sandbox)
        }
    }

    @Test(.feature("S-03"), .tags(.repeatedThoroughly))
    func `a payment whose process is killed repeatedly is paid once`() async throws {
        try await withSandbox { sandbox, folder in
            let order = try await sandbox.createOrder()
            var link: String?
            for pause in Tier.isThorough ? [1, 30, 90, 200, 400] : [30, 400] {
                let killed = try Self.start("FirstPayment", in: folder, order.sessionURL)
                try await Task.sleep(for: .milliseconds(pause))
                await killed.end()
                while let line = await killed.line() { link = try? Self.link(in: line) }
            }
            let last = try Self.start("FirstPayment", in: folder, order.sessionURL)
            // An action without a report is delivered again.
            if link == nil { link = try Self.link(in: await last.line()) }
            try await sandbox.approve(#require(link))
            var said: [String] = []
            while let line = await last.line() { said.append(line) }
            #expect(said.last == "completed")
            await Self.expectPaidOnce(sandbox)
        }
    }

    @Test(.feature("S-04"))
    func `an unfinished payment continues by itself when the next process starts`() async throws {
        try await withSandbox { sandbox, folder in
            let order = try await sandbox.createOrder()
            let crashing = try Self.start("CrashAndRecover", in: folder, order.sessionURL)
            let link = try Self.link(in: await crashing.line())
            #expect(await crashing.ending().wasKilled)
            try await sandbox.approve(link)
            let next = try Self.start("CrashAndRecover", in: folder)
            #expect(await next.line() == "completed")
            #expect(await next.ending().status == 0)
            await Self.expectPaidOnce(sandbox)
        }
    }

    @Test
    func `a checkout whose process was killed is paid on the PSP's page and captured once`()
        async throws
    {
        try await withSandbox { sandbox, folder in
            let token = SandboxConfiguration.token
            func start() throws -> TestProcess {
                try Self.start("CheckoutAndCapture", in: folder, sandbox.baseURL, token)
            }
            let killed = try start()
            let order = try #require(await killed.line()?.split(separator: " ").last)
            await killed.end()
            try await sandbox.payOnPage(String(order))
            let example = try start()
            // The page has no report, so it is delivered again.
            #expect(await example.line()?.split(separator: " ").last == order)
            try example.say("paid")
            #expect(await example.line() == "capture done")
            #expect(await example.ending().status == 0)
            let ledger = await sandbox.ledger
            #expect(ledger.captures == 1 && ledger.capturedAmount == 12_500)
            #expect(ledger.refusedDuplicates == 0)
            await Self.expectPaidOnce(sandbox)
        }
    }

    @Test func `a subscription is paid by its payer once and charged by its merchant every month`()
        async throws
    {
        try await withSandbox { sandbox, folder in
            let token = SandboxConfiguration.token
            let example = try Self.start("Subscription", in: folder, sandbox.baseURL, token)
            let order = try #require(await example.line()?.split(separator: " ").last)
            try await sandbox.payOnPage(String(order))
            try example.say("paid")
            for month in 1...3 { #expect(await example.line() == "month \(month) completed") }
            #expect(await example.ending().status == 0)
            let ledger = await sandbox.ledger
            #expect(ledger.paidOrders == 3 && ledger.authorizedAmount == 3 * 4_900)
            #expect(ledger.orders.map(\.attempts.count) == [1, 1, 1])
            #expect(ledger.doubledOrders == [])
        }
    }

    @Test func `the example's own flow breaks no guarantee in 20 worlds with faults`() async throws
    {
        let example = try Self.start(
            "FlowUnderFaults",
            in: FileManager.default.temporaryDirectory
        )
        let line = try #require(await example.line())
        #expect(line.hasPrefix("20 worlds, ") && line.hasSuffix(", 0 guarantees broken"), "\(line)")
        #expect(line != "20 worlds, 0 payments completed, 0 guarantees broken")
        #expect(await example.ending().status == 0)
    }

    @Test func `the example's own workflow breaks no guarantee in 20 worlds with faults`()
        async throws
    {
        let folder = FileManager.default.temporaryDirectory
        let example = try Self.start("OwnWorkflow", in: folder)
        let line = try #require(await example.line())
        #expect(line.hasPrefix("20 worlds: ") && line.hasSuffix("; 0 guarantees broken"), "\(line)")
        for outcome in ["confirmed", "lapsed", "soldOut"] { #expect(line.contains(outcome)) }
        #expect(await example.ending().status == 0)
    }

    /// Starts an example whose store is in a folder.
    private static func start(
        _ name: String,
        in folder: URL,
        _ arguments: String...
    ) throws -> TestProcess {
        try TestProcess(name, arguments, in: folder.path, input: .lines)
    }

    /// Returns the link that an example asks to open.
    private static func link(in line: String?) throws -> String {
        let words = try #require(line).split(separator: " ")
        try #require(words.count == 2 && words[0] == "open")
        return String(words[1])
    }

    private static func expectPaidOnce(_ sandbox: SandboxServer) async {
        let ledger = await sandbox.ledger
        #expect(ledger.paidOrders == 1)
        #expect(ledger.orders.map(\.attempts.count) == [1])
        #expect(ledger.doubledOrders == [])
    }
}
