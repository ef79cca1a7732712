internal import Foundation
internal import Measuring
internal import Sandbox

/// The helpers within this program.
enum Child {
    /// Runs a helper by its name.
    static func run(_ arguments: [String]) async throws {
        switch arguments.first {
        case "sandbox": try await sandbox()
        case "memory" where arguments.count == 5:
            try await MemoryRow.child(
                kind: arguments[1],
                count: Int(arguments[2]) ?? 0,
                directory: arguments[3],
                sandbox: arguments[4]
            )
        case "abandon" where arguments.count == 4:
            try await ResumeRow.child(
                Int(arguments[1]) ?? 0,
                directory: arguments[2],
                sandbox: arguments[3]
            )
        case "follow" where arguments.count == 2: try await SubscriptionRow.child(arguments[1])
        case "node" where arguments.count == 6:
            try await NodesRow.child(
                store: arguments[1],
                keys: arguments[2],
                sandbox: arguments[3],
                times: Int(arguments[4]) ?? 0,
                inFlight: Int(arguments[5]) ?? 0
            )
        case "hold" where arguments.count == 6:
            try await TakeoverRow.child(
                store: arguments[1],
                keys: arguments[2],
                sandbox: arguments[3],
                count: Int(arguments[4]) ?? 0,
                leaseMilliseconds: Int(arguments[5]) ?? 0
            )
        case "bare-service" where arguments.count == 2: try await BareService.child(arguments[1])
        case "subscribe" where arguments.count == 5:
            try Subscribers.child(
                port: UInt16(arguments[1]) ?? 0,
                path: arguments[2],
                token: arguments[3],
                count: Int(arguments[4]) ?? 0
            )
        default: throw ChildProcess.Failure(description: "no such helper")
        }
    }

    /// Runs a PSP without any delay, in a process of its own, so that its processor time is not
    /// ours.
    private static func sandbox() async throws {
        var configuration = SandboxConfiguration(
            swishApprovalDelay: .zero,
            swishAppApprovalDelay: .zero
        )
        configuration.maximumLedgerEntries = 1000
        let server = try await SandboxServer.start(configuration)
        print(server.baseURL)
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                while readLine() != nil {}
                continuation.resume()
            }
        }
        await server.shutdown()
    }
}
