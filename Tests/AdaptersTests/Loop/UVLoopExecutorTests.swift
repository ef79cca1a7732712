import Dispatch
import Glibc
import TestSupport
import Testing

@testable import UVTransport

@Suite struct UVLoopExecutorTests {
    @Test func `an actor of the loop runs on its thread`() async throws {
        let loop = try UVLoop(name: "executor")
        defer { loop.shutdown() }
        let actor = LoopActor(on: loop)
        #expect(!loop.isOnLoop)
        #expect(await actor.increment())
        #expect(await actor.count == 1)
    }

    @Test func `a spawned task comes back to the loop after every suspension`() async throws {
        let loop = try UVLoop(name: "spawn")
        defer { loop.shutdown() }
        let places = await loop.spawn {
            var places = [loop.isOnLoop]
            try? await loop.sleep(for: .milliseconds(2))
            places.append(loop.isOnLoop)
            await Task.yield()
            places.append(loop.isOnLoop)
            try? await Task.sleep(for: .milliseconds(2))
            places.append(loop.isOnLoop)
            return places
        }.value
        #expect(places == [true, true, true, true])
    }

    @Test func `calls from many threads are serialized and none is lost`() async throws {
        let loop = try UVLoop(name: "serial")
        defer { loop.shutdown() }
        let actor = LoopActor(on: loop)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<16 {
                group.addTask { for _ in 0..<200 { await actor.incrementSlowly() } }
            }
        }
        #expect(await actor.count == 3_200)
    }

    @Test func `a libuv callback is isolated to the actors of its loop`() async throws {
        let loop = try UVLoop(name: "callback")
        defer { loop.shutdown() }
        let actor = LoopActor(on: loop)
        let onLoop = await withUnsafeContinuation { continuation in
            loop.run {
                _ = UVTimer(on: loop, after: .milliseconds(1)) { _ in
                    continuation.resume(returning: actor.assumeIsolated { $0.increment() })
                }
            }
        }
        #expect(onLoop)
    }

    @Test func `an actor that assumes isolation on a foreign thread traps`() async {
        await #expect(processExitsWith: .failure) {
            let actor = LoopActor(on: try UVLoop(name: "foreign"))
            actor.pretend()
        }
    }

    @Test func `two loops do not take each other's thread for their own`() async throws {
        let one = try UVLoop(name: "one")
        let two = try UVLoop(name: "two")
        defer {
            one.shutdown()
            two.shutdown()
        }
        #expect(await one.spawn { one.isOnLoop && !two.isOnLoop }.value)
        #expect(await two.spawn { two.isOnLoop && !one.isOnLoop }.value)
    }

    @Test func `a task that never stops yielding does not starve the timers`() async throws {
        let loop = try UVLoop(name: "starve")
        defer { loop.shutdown() }
        let greedy = loop.spawn { while !Task.isCancelled { await Task.yield() } }
        try await loop.sleep(for: .milliseconds(5))
        greedy.cancel()
        await greedy.value
    }

    /// The calls arrive before, at and after the end of the time for which the loop stays awake;
    /// only after it do they wake the loop.
    @Test(.tags(.repeatedThoroughly))
    func `no call is lost while the loop stays awake or when it stops doing so`() throws {
        let loop = try UVLoop(name: "awake")
        defer { loop.shutdown() }
        for round in 0..<(Tier.isThorough ? 20_000 : 4_000) {
            loop.run { loop.stayAwake(nanoseconds: 20_000) }
            let end = LoopClock.monotonicNanoseconds() + Int64(round % 61) * 1_000
            while LoopClock.monotonicNanoseconds() < end {}
            let arrived = DispatchSemaphore(value: 0)
            loop.run { arrived.signal() }
            try #require(arrived.wait(timeout: .now() + 10) == .success, "in round \(round)")
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a loop that stays awake serves its timers, and ends when it is told to`() async throws {
        let loop = try UVLoop(name: "awake")
        await withUnsafeContinuation { done in
            loop.run {
                loop.stayAwake(nanoseconds: 3_600_000_000_000)
                _ = UVTimer(on: loop, after: .milliseconds(5)) { _ in done.resume() }
            }
        }
        loop.run { loop.stayAwake(nanoseconds: 3_600_000_000_000) }
        loop.shutdown()
    }
}
