import Glibc
import HTTPTypes
import Testing

@testable import UVTransport

@Suite struct CurlTransportLifeTests {
    /// A server that reads requests and never responds, and counts the peers that have closed.
    private static func silentServer(_ gone: ThreadLock<Int>) -> SocketServer {
        SocketServer { connection in
            _ = connection.readRequest()
            connection.waitForClose()
            gone.withLock { $0 += 1 }
        }
    }

    /// Waits until a condition holds, limited by the test's time limit.
    private static func until(_ condition: () -> Bool) async throws {
        while !condition() { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test(.timeLimit(.minutes(10)))
    func `canceling the task closes the connection`() async throws {
        let gone = ThreadLock(0)
        let server = Self.silentServer(gone)
        defer { server.stop() }
        try await withTransport { transport, _ in
            let task = Task {
                await transport.failure(
                    request(.post, server.url(), body: "pay", within: .seconds(300))
                )
            }
            try await Self.until { server.requests.withLock { $0.count } == 1 }
            task.cancel()
            let failure = await task.value
            #expect(failure?.kind == .canceled)
            #expect(failure?.reach == .maybeSent)
            try await Self.until { gone.withLock { $0 } == 1 }
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a request waiting for a free slot can be canceled or time out, and was not sent`()
        async throws
    {
        let gone = ThreadLock(0)
        let server = Self.silentServer(gone)
        defer { server.stop() }
        try await withTransport({ $0.maximumConcurrentRequests = 1 }) { transport, loop in
            let first = loop.spawn { await transport.failure(request(.post, server.url())) }
            try await Self.until { server.requests.withLock { $0.count } == 1 }
            let second = loop.spawn { await transport.failure(request(.post, server.url())) }
            let third = loop.spawn {
                await transport.failure(
                    request(.post, server.url(), within: .milliseconds(20))
                )
            }
            #expect(await third.value == TransportFailure(reach: .notSent, kind: .timedOut))
            second.cancel()
            #expect(await second.value == TransportFailure(reach: .notSent, kind: .canceled))
            first.cancel()
            #expect(await first.value?.reach == .maybeSent)
        }
        #expect(server.requests.withLock { $0.count } == 1)
    }

    @Test(.timeLimit(.minutes(10)))
    func `requests beyond the bound of the queue fail as queueFull`() async throws {
        let server = Self.silentServer(ThreadLock(0))
        defer { server.stop() }
        try await withTransport({
            $0.maximumConcurrentRequests = 2
            $0.maximumQueuedRequests = 3
        }) { transport, loop in
            let tasks = (0..<8).map { _ in
                loop.spawn { await transport.failure(request(.get, server.url())) }
            }
            try await Self.until { server.requests.withLock { $0.count } == 2 }
            await transport.shutdown()
            var kinds: [TransportFailure.Kind?] = []
            for task in tasks { kinds.append(await task.value?.kind) }
            #expect(kinds.count { $0 == .queueFull } == 3)
            #expect(kinds.count { $0 == .shutdown } == 5)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `shutting down the loop ends requests in flight, and later requests fail`() async throws {
        let gone = ThreadLock(0)
        let server = Self.silentServer(gone)
        defer { server.stop() }
        let loop = try UVLoop(name: "http-shutdown")
        var configuration = TransportConfiguration(allowedHostSuffixes: [])
        configuration.allowsInsecureLoopback = true
        let transport = CurlTransport(on: loop, configuration: configuration)
        let tasks = (0..<5).map { _ in
            loop.spawn { await transport.failure(request(.post, server.url(), body: "pay")) }
        }
        try await Self.until { server.requests.withLock { $0.count } == 5 }
        loop.shutdown()
        for task in tasks {
            #expect(await task.value == TransportFailure(reach: .maybeSent, kind: .shutdown))
        }
        let late = await transport.failure(request(.post, server.url()))
        #expect(late == TransportFailure(reach: .notSent, kind: .shutdown))
        try await Self.until { gone.withLock { $0 } == 5 }
    }

    @Test func `creating and closing transports leaks no file descriptor`() async {
        await #expect(processExitsWith: .success) {
            func descriptors() -> Int { (0..<1_024).count { fcntl($0, F_GETFD) != -1 } }
            let server = SocketServer { connection in
                while connection.readRequest() != nil { connection.respond() }
            }
            func live() async throws {
                try await withTransport { transport, loop in
                    let tasks = (0..<20).map { _ in
                        loop.spawnThrowing {
                            try await transport.perform(request(.get, server.url())).status
                        }
                    }
                    for task in tasks { _ = try await task.value }
                }
            }
            try await live()
            // The server closes its ends a little after ours.
            func settled(_ expected: Int?) async throws -> Int {
                var last = -1
                for _ in 0..<500 {
                    let now = descriptors()
                    if now == expected || (expected == nil && now == last) { return now }
                    last = now
                    try await Task.sleep(for: .milliseconds(10))
                }
                return last
            }
            let before = try await settled(nil)
            for _ in 0..<10 { try await live() }
            let after = try await settled(before)
            if after > before { print("descriptors: \(before) before, \(after) after") }
            exit(after <= before ? 0 : 1)
        }
    }
}
