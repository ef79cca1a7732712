import Foundation
internal import TestSupport
import Testing

@testable import Sandbox

extension PostgreSQLTests {
    /// More nodes, and all faults at once.
    @Suite(.serialized, .fewAtATime) struct ManyNodesTests {
        @Test(.tags(.thorough), arguments: OnServer.lanes)
        func `each order is paid once when nodes die, are suspended and lose the database`(
            lanes: Int
        ) async throws {
            let count = 5
            try await Nodes.with(payments: 8 * count, lanes: lanes) { nodes in
                let proxy = try Proxy(to: nodes.program.place.database.cluster.port)
                defer { proxy.stop() }
                var seed = Seed()
                // The last one connects to the database through the proxy.
                func start(_ place: Int) throws -> TestProcess {
                    try nodes.start(
                        place,
                        of: count,
                        through: place == count - 1 ? proxy.port : nil
                    )
                }
                var hosts = try (0..<count).map { try start($0) }
                // A node that cannot reach the database when it starts ends, and is restarted.
                func tend() async throws -> Bool {
                    var isWell = true
                    for place in hosts.indices where !hosts[place].isRunning {
                        guard await hosts[place].ending().status == 69 else { continue }
                        hosts[place] = try start(place)
                        isWell = false
                    }
                    return isWell
                }
                var befell = (deaths: 0, pauses: 0, cuts: 0)
                let end = ContinuousClock.now + .seconds(6)
                while ContinuousClock.now < end {
                    try await Task.sleep(
                        for: .milliseconds(Int.random(in: 100...400, using: &seed))
                    )
                    _ = try await tend()
                    let place = Int.random(in: 0..<count, using: &seed)
                    switch Int.random(in: 0..<3, using: &seed) {
                    case 0:
                        if hosts[place].isRunning {
                            hosts[place].kill()
                            befell.deaths += 1
                        }
                        _ = await hosts[place].ending()
                        hosts[place] = try start(place)
                    case 1 where hosts[place].isRunning:
                        hosts[place].kill(SIGSTOP)
                        try await Task.sleep(for: .milliseconds(3 * Nodes.leaseMilliseconds))
                        hosts[place].kill(SIGCONT)
                        befell.pauses += 1
                    default:
                        proxy.cut(true)
                        try await Task.sleep(for: .milliseconds(2 * Nodes.leaseMilliseconds))
                        proxy.cut(false)
                        befell.cuts += 1
                    }
                }
                print("befell \(count) nodes: \(befell)")
                let deadline = ContinuousClock.now + .seconds(60)
                while try await !tend() || hosts.contains(where: \.isRunning),
                    ContinuousClock.now < deadline
                {
                    try await Task.sleep(for: .milliseconds(50))
                }
                try await nodes.expectEnd(of: hosts)
                try await nodes.expectOnePaymentEach()
                try nodes.expectAcknowledged(by: count)
            }
        }
    }
}

extension Nodes {
    /// Compares what the nodes acknowledged with what is in the log.
    func expectAcknowledged(by hosts: Int) throws {
        let database = program.place.database
        var types: [String: String] = [:]
        for line in try database.sql("SELECT session, seq, type FROM events").split(separator: "\n")
        {
            let columns = line.split(separator: "|").map(String.init)
            types["\(columns[0]) \(columns[1])"] = columns[2]
        }
        var claims = 0
        for place in 0..<hosts {
            let path = program.folder + "/acknowledged-\(place)"
            for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
                let members = try? JSONSerialization.jsonObject(with: Data(line.utf8))
                // The last line of a process that was killed may be incomplete.
                guard let members = members as? [String: Any],
                    let session = members["session"] as? String, let sequence = members["seq"]
                else { continue }
                claims += 1
                let type = types["\(session) \(sequence)"]
                #expect(type != nil, "record \(sequence) of \(session) was acknowledged")
                if let claimed = members["type"] as? String { #expect(type == claimed) }
            }
        }
        #expect(claims > payments)
    }
}
