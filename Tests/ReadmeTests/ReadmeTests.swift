import Adapters
import EventLog
import Foundation
import FoundationNetworking
import Inspection
import Sandbox
import SwedbankPay
import Testing
import Workflow

@testable import ReadmeService

/// What the README shows is what was compiled and run.
@Suite struct ReadmeTests {
    private static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test func `a host pays with the example of the README`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let sandbox = try await SandboxServer.start(
            SandboxConfiguration(swishAppApprovalDelay: nil)
        )
        let order = try await sandbox.createOrder()
        let payments = try await Payments(folder: folder.path, isSandbox: true)
        var kinds: [String] = []
        let outcome = try await payments.pay(order.sessionURL, isSandbox: true) { action in
            kinds.append(action.kind)
            try await Self.approve(action, at: sandbox)
            return .launched
        }
        #expect(outcome == .completed)
        #expect(kinds == ["launchApp"])
        #expect(await sandbox.ledger.paidOrders == 1)
        #expect(await sandbox.ledger.doubledOrders == [])
        await payments.stop()
        await sandbox.shutdown()
    }

    @Test func `a payment whose service is killed is finished by the service's next start`()
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let sandbox = try await SandboxServer.start(
            SandboxConfiguration(swishAppApprovalDelay: nil)
        )
        let order = try await sandbox.createOrder()
        let service = try ReadmeServiceProcess(folder.path, order.sessionURL)
        let link = try #require(await service.line())
        service.kill()
        try await Self.approve(link: link, at: sandbox)
        #expect(await sandbox.ledger.paidOrders == 1)
        let next = try ReadmeServiceProcess(folder.path)
        #expect(try await Self.outcomes(in: folder, until: .completed) == ["completed"])
        next.kill()
        #expect(await sandbox.ledger.doubledOrders == [])
        await sandbox.shutdown()
    }

    /// The outcomes of a store's sessions as another process reads them, asking no engine; for twenty seconds at the most.
    private static func outcomes(
        in folder: URL,
        until wanted: Outcome
    ) async throws -> [String?] {
        let loop = try UVLoop(name: "reader")
        let store = try await SQLiteEventStore(path: "\(folder.path)/payments.db", loop: loop)
        let end = ContinuousClock.now + .seconds(20)
        var outcomes: [String?] = []
        while outcomes != [wanted.rawValue], ContinuousClock.now < end {
            outcomes = try await store.sessions(matching: SessionQuery()).map(\.outcome)
            try await Task.sleep(for: .milliseconds(50))
        }
        await store.close()
        loop.shutdown()
        return outcomes
    }

    @Test func `the README shows the example as it was compiled`() throws {
        let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
        let example = try String(
            contentsOf: Self.root.appending(path: "Tests/ReadmeService/EmbeddingExample.swift"),
            encoding: .utf8
        )
        #expect(!example.isEmpty)
        #expect(readme.contains("```swift\n\(example)```\n"))
    }

    @Test func `the commands of the README are targets of the Makefile`() throws {
        let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
        let makefile = try String(
            contentsOf: Self.root.appending(path: "Makefile"),
            encoding: .utf8
        )
        let named = readme.matches(of: /\bmake ([a-z]+)\b/).map { String($0.1) }
        #expect(Set(named).isSuperset(of: ["demo", "test", "bench", "lint"]))
        for target in Set(named) { #expect(makefile.contains("\n\(target): ##"), "make \(target)") }
    }

    /// What the payer does in the Swish app.
    private static func approve(_ action: ActionView, at sandbox: SandboxServer) async throws {
        guard case .text(let link) = action.members.first?.value else { return }
        try await approve(link: link, at: sandbox)
    }

    private static func approve(link: String, at sandbox: SandboxServer) async throws {
        let token = URLComponents(string: link)?.queryItems?.first { $0.name == "token" }?.value
        let page = "\(sandbox.baseURL)/sandbox/swish/\(token ?? "")?decision=approve"
        _ = try await URLSession.shared.data(from: try #require(URL(string: page)))
    }
}
