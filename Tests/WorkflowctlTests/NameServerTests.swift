import Glibc
import TestSupport
import Testing

@testable import Sandbox

/// The PSP's name cannot be resolved, because the name server does not respond.
@Suite struct NameServerTests {
    /// A system file is replaced for a single process, which only root may do.
    private static let mayMount = geteuid() == 0 && access("/usr/bin/unshare", X_OK) == 0

    @Test(.enabled(if: mayMount, "only root can give a process a name server of its own"))
    func `a name server that never responds leads to a timeout, and nothing is sent`() async throws
    {
        try await World.with { world in
            let server = try SilentNameServer(address: "127.53.53.53")
            defer { server.close() }
            // Left alone, the system's resolver waits for two and a half minutes.
            let resolver = "nameserver 127.53.53.53\noptions timeout:30 attempts:5\n"
            let file = try world.write(resolver, to: "resolv.conf")
            let open =
                "workflowctl open https://api.payex.com/psp/paymentsessions/abcdef --wait 14s --json"
            let begin = ContinuousClock.now
            let opened = try await world.tool.shell(
                "unshare -m sh -c 'mount --bind \(file) /etc/resolv.conf && exec \(open)'"
            )
            #expect(opened.status == 0, "\(opened.diagnostics)")
            #expect(ContinuousClock.now - begin < .seconds(120))
            #expect(server.questions > 0)
            let session = try #require(try opened.json["session"].text)
            let log = try await world.run("log", session, "--json")
            let failures = log.output.split(separator: "\n").filter {
                $0.contains(#""type":"operationFailed""#)
            }
            #expect(failures.count == 1)
            #expect(failures.first?.contains(#""code":"http.timeout""#) == true)
            #expect(failures.first?.contains(#""reach":"notSent""#) == true)
        }
    }

    @Test(
        .tags(.thorough),
        .enabled(if: mayMount, "only root can give a process a name server of its own")
    )
    func `a name server that never responds delays no payment at another host`() async throws {
        try await World.with { world in
            let server = try SilentNameServer(address: "127.53.53.54")
            defer { server.close() }
            let resolver = "nameserver 127.53.53.54\noptions timeout:30 attempts:1\n"
            let file = try world.write(resolver, to: "resolv.conf")
            let config = try world.write(#"{"limits":{"request":"5s"}}"#, to: "config.json")
            func hanging(_ command: String) async throws -> Tool.Result {
                let run =
                    "workflowctl --allow-insecure-loopback --config \(config) --json \(command)"
                return try await world.tool.shell(
                    "unshare -m sh -c 'mount --bind \(file) /etc/resolv.conf && exec \(run)'"
                )
            }
            var lost: [String] = []
            for host in ["api.payex.com", "api.stage.payex.com", "ecom.payex.com"] {
                let opened = try await hanging(
                    "open https://\(host)/psp/paymentsessions/abcdef --wait 0s"
                )
                lost.append(try #require(try opened.json["session"].text, "\(opened.diagnostics)"))
            }
            let order = SandboxOrder(
                scenario: Scenario(swishApproval: .after(.seconds(1)))
            )
            let (paying, _) = try await world.open(order)
            let began = try await world.run(
                "attempt",
                paying,
                "swish",
                "--msisdn",
                "+46739000001",
                "--wait",
                "0s"
            )
            #expect(began.status == 0, "\(began.diagnostics)")
            let asked = server.questions
            // One process, one engine, four sessions.
            let resumed = try await hanging("resume --wait 9s")
            #expect(try resumed.json.list.count == 4, "\(resumed.diagnostics)")
            #expect(server.questions > 0, "after \(asked) before")
            let paid = try await times(of: "completed", in: paying, world)
            let payment = try #require(paid.first)
            for session in lost {
                let failures = try await times(of: "operationFailed", in: session, world)
                #expect(failures.last.map { $0 > payment } == true, "\(failures), \(payment)")
            }
        }
    }

    /// Returns the times of events of a type, as strings that sort chronologically.
    private func times(
        of type: String,
        in session: String,
        _ world: World
    ) async throws -> [String] {
        let log = try await world.run("log", session, "--type", type, "--json")
        return try log.output.split(separator: "\n").map {
            try #require(try JSON(parsing: String($0))["record"]["at"].text)
        }
    }
}

/// A name server that receives queries and does not respond.
private struct SilentNameServer {
    private let socket: Int32

    struct Refused: Error { var reason: Int32 }

    init(address: String) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = UInt16(53).bigEndian
        inet_pton(AF_INET, address, &name.sin_addr)
        let status = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Refused(reason: errno) }
    }

    /// The number of queries since the previous call.
    var questions: Int {
        var (count, byte) = (0, UInt8(0))
        while recv(socket, &byte, 1, Int32(MSG_DONTWAIT)) >= 0 { count += 1 }
        return count
    }

    func close() { Glibc.close(socket) }
}
