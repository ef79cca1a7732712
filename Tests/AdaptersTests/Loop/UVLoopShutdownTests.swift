import Glibc
import Testing

@testable import UVTransport

@Suite struct UVLoopShutdownTests {
    @Test func `shutting down ends the waits and runs every job`() async throws {
        let loop = try UVLoop(name: "shutdown")
        let actor = LoopActor(on: loop)
        let waiting = (0..<20).map { _ in
            loop.spawn { () -> UVError? in
                do throws(UVError) { try await loop.sleep(for: .seconds(300)) } catch {
                    _ = await actor.increment()
                    return error
                }
                return nil
            }
        }
        try await loop.sleep(for: .milliseconds(2))
        await Task.detached { loop.shutdown() }.value
        for task in waiting { #expect(await task.value?.isShutdown == true) }
        #expect(await actor.count == 20)
    }

    @Test func `shutting down waits for work on the pool`() async throws {
        let loop = try UVLoop(name: "shutdown-work")
        let begun = ThreadLock(false)
        let done = ThreadLock(false)
        let task = loop.spawn {
            await loop.offload {
                begun.withLock { $0 = true }
                usleep(30_000)
                done.withLock { $0 = true }
                return 42
            }
        }
        while !begun.withLock({ $0 }) { await Task.yield() }
        loop.shutdown()
        #expect(done.withLock { $0 })
        #expect(await task.value == 42)
    }

    @Test func `a loop can be shut down twice and from several threads`() async throws {
        let loop = try UVLoop(name: "twice")
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { loop.shutdown() } }
        }
        loop.shutdown()
    }

    @Test func `jobs submitted after shutdown still run, one at a time`() async throws {
        let loop = try UVLoop(name: "late")
        let actor = LoopActor(on: loop)
        loop.shutdown()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<50 { await actor.incrementSlowly() } }
            }
        }
        #expect(await actor.count == 400)
        #expect(await loop.offload { 7 } == 7)
        await #expect(throws: UVError.shutdown("sleep")) {
            try await loop.sleep(for: .seconds(300))
        }
    }

    @Test func `creating and closing loops leaks no file descriptor`() async {
        await #expect(processExitsWith: .success) {
            func descriptors() -> Int { (0..<1_024).count { fcntl($0, F_GETFD) != -1 } }
            func live(_ round: Int) async throws {
                let loop = try UVLoop(name: "round-\(round)")
                let tasks = (0..<50).map { index in
                    loop.spawn { try? await loop.sleep(for: .milliseconds(index % 5)) }
                }
                for task in tasks { await task.value }
                _ = await loop.offload { round }
                loop.shutdown()
            }
            try await live(0)
            let before = descriptors()
            for round in 1...10 { try await live(round) }
            let after = descriptors()
            if after != before { print("descriptors: \(before) before, \(after) after") }
            exit(after == before ? 0 : 1)
        }
    }

    @Test func `creating a loop without free file descriptors throws EMFILE and does not trap`()
        async
    {
        await #expect(processExitsWith: .success) {
            let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            var usual = rlimit()
            getrlimit(kind, &usual)
            var none = rlimit(rlim_cur: 0, rlim_max: usual.rlim_max)
            setrlimit(kind, &none)
            var seen: UVError?
            do throws(UVError) { _ = try UVLoop(name: "poor") } catch { seen = error }
            setrlimit(kind, &usual)
            exit(seen?.name == "EMFILE" && seen?.isTransient == true ? 0 : 1)
        }
    }
}
