internal import Foundation
internal import Measuring
internal import Sandbox

/// The sandbox in another process, so that its processor time and memory are not the engine's.
///
/// It is controlled through its standard input, which is not part of what is measured.
final class SandboxControl {
    /// Its address.
    let baseURL: String
    private let process: ChildProcess

    init() throws {
        process = try ChildProcess.helper(["sandbox"])
        baseURL = try process.line()
    }

    func stop() { process.stop() }

    /// Creates orders, and returns the addresses of their sessions.
    ///
    /// `approval` is the time, in milliseconds, after which their payers approve in Swish.
    func orders(_ count: Int, approval: Int, in directory: String) throws -> [String] {
        let file = directory + "/orders-\(UUID().uuidString)"
        _ = try ask("orders \(count) \(approval) \(file)")
        defer { try? FileManager.default.removeItem(atPath: file) }
        return try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(
            String.init
        )
    }

    /// Returns the number of requests that have arrived, disturbed ones included.
    func arrivals() throws -> Int { Int(try ask("count")) ?? -1 }

    /// Delays each response from now on.
    func beSlow(milliseconds: Int) throws { _ = try ask("slow \(milliseconds)") }

    /// Resets each connection from now on, before the request takes effect.
    func beGone() throws { _ = try ask("gone") }

    /// Ends all faults.
    func recover() throws { _ = try ask("recover") }

    /// Lets all waiting payers approve.
    func letPayersApprove() throws { _ = try ask("approve") }

    /// Returns how many orders are paid, and how many of them twice.
    func ledger() throws -> (paid: Int, doubled: Int) {
        let numbers = try ask("ledger").split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 2 else {
            throw ChildProcess.Failure(description: "the sandbox has no ledger")
        }
        return (numbers[0], numbers[1])
    }

    private func ask(_ line: String) throws -> String {
        try process.send(line)
        return try process.line()
    }
}

/// The sandbox in the other process.
enum SandboxChild {
    /// Runs a sandbox until standard input ends.
    static func run() async throws {
        let shift = SharedValue(Duration.zero)
        var configuration = SandboxConfiguration()
        configuration.maximumLedgerEntries = 1000
        configuration.maximumOrders = 10_000_000
        configuration.now = { ContinuousClock.now + shift.withLock { $0 } }
        let server = try await SandboxServer.start(configuration)
        print(server.baseURL)
        let (lines, feed) = AsyncStream.makeStream(of: String.self)
        Thread.detachNewThread {
            while let line = readLine() { feed.yield(line) }
            feed.finish()
        }
        for await line in lines {
            let words = line.split(separator: " ").map(String.init)
            switch words.first {
            case "orders" where words.count == 4:
                try await create(
                    Int(words[1]) ?? 0,
                    approval: Int(words[2]) ?? 0,
                    words[3],
                    at: server
                )
                print("ok")
            case "count": print(await server.requests.values.reduce(0, +))
            case "slow" where words.count == 2:
                await disturb(server, .delay(.milliseconds(Int(words[1]) ?? 0)))
            case "gone": await disturb(server, .reset)
            case "recover":
                await server.injectFaults(with: [])
                print("ok")
            case "approve":
                shift.withLock { $0 += .seconds(7200) }
                print("ok")
            case "ledger":
                let ledger = await server.ledger
                print("\(ledger.paidOrders) \(ledger.doubledOrders.count)")
            default: print("?")
            }
        }
        await server.shutdown()
    }

    private static func disturb(_ server: SandboxServer, _ kind: Fault.Kind) async {
        await server.injectFaults(with: [Fault(rel: "*", requests: .every, kind: kind)])
        print("ok")
    }

    private static func create(
        _ count: Int,
        approval: Int,
        _ file: String,
        at server: SandboxServer
    ) async throws {
        var urls: [String] = []
        for _ in 0..<count {
            var order = SandboxOrder()
            order.scenario.swishApproval = .after(.milliseconds(approval))
            urls.append(try await server.createOrder(order).sessionURL)
        }
        try urls.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
    }
}
