import Glibc
import Testing

@testable import UVTransport

@Suite struct UVLoopWaitTests {
    @Test func `a wait is never shorter than asked`() async throws {
        let loop = try UVLoop(name: "never-early")
        defer { loop.shutdown() }
        for milliseconds in [0, 1, 3, 7, 20] {
            let start = LoopClock.monotonicNanoseconds()
            try await loop.sleep(for: .milliseconds(milliseconds))
            #expect(LoopClock.elapsed(since: start) >= .milliseconds(milliseconds))
        }
    }

    @Test func `a canceled wait ends at once`() async throws {
        let loop = try UVLoop(name: "cancel")
        defer { loop.shutdown() }
        let start = LoopClock.monotonicNanoseconds()
        let task = Task { () -> UVError? in
            do throws(UVError) {
                try await loop.sleep(for: .seconds(300))
                return nil
            } catch {
                return error
            }
        }
        try await loop.sleep(for: .milliseconds(5))
        task.cancel()
        #expect(await task.value?.isCancellation == true)
        #expect(LoopClock.elapsed(since: start) < .seconds(60))
    }

    @Test func `a wait in a task that is already canceled does not start`() async throws {
        let loop = try UVLoop(name: "cancelled")
        defer { loop.shutdown() }
        let task = loop.spawn { () -> UVError? in
            while !Task.isCancelled { await Task.yield() }
            do throws(UVError) { try await loop.sleep(for: .seconds(300)) } catch { return error }
            return nil
        }
        task.cancel()
        #expect(await task.value?.code == "loop.canceled")
    }

    @Test func `a canceled timer does not fire, and the others fire in order`() async throws {
        let loop = try UVLoop(name: "order")
        defer { loop.shutdown() }
        let order = ThreadLock<[Int]>([])
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            loop.run {
                for delay in [30, 10, 20] {
                    _ = UVTimer(on: loop, after: .milliseconds(delay)) { _ in
                        order.withLock { $0.append(delay) }
                    }
                }
                let silent = UVTimer(on: loop, after: .milliseconds(15)) { _ in
                    order.withLock { $0.append(15) }
                }
                silent.cancel()
                silent.cancel()
                _ = UVTimer(on: loop, after: .milliseconds(45)) { _ in continuation.resume() }
            }
        }
        #expect(order.withLock { $0 } == [10, 20, 30])
    }

    @Test func `blocking work leaves the loop free and comes back to it`() async throws {
        let loop = try UVLoop(name: "offload")
        defer { loop.shutdown() }
        let ticks = ThreadLock(0)
        let ticking = loop.spawn {
            while !Task.isCancelled {
                ticks.withLock { $0 += 1 }
                try? await loop.sleep(for: .milliseconds(1))
            }
        }
        let (away, back, seen) = await loop.spawn {
            let before = ticks.withLock { $0 }
            let away = await loop.offload {
                // Blocks until the loop has continued without it.
                while ticks.withLock({ $0 }) < before + 3 { usleep(500) }
                return !loop.isOnLoop
            }
            return (away, loop.isOnLoop, ticks.withLock { $0 } - before)
        }.value
        ticking.cancel()
        await ticking.value
        #expect(away && back && seen >= 3)
    }

    @Test func `offloaded work that fails throws its own error to the caller`() async throws {
        let loop = try UVLoop(name: "offload-error")
        defer { loop.shutdown() }
        await #expect(throws: UVError.canceled("work")) {
            try await loop.offload { () throws(UVError) in throw .canceled("work") }
        }
    }

    @Test func `the wall clock agrees with the system's and the monotonic clock never goes back`() {
        let wall = LoopClock.wallMicroseconds()
        let seconds = Int64(time(nil))
        #expect(abs(wall / 1_000_000 - seconds) <= 1)
        let first = LoopClock.monotonicNanoseconds()
        #expect(LoopClock.monotonicNanoseconds() >= first)
    }

    @Test func `durations are rounded up to milliseconds`() {
        #expect(Duration.microseconds(1).millisecondsRoundedUp == 1)
        #expect(Duration.milliseconds(1_001).millisecondsRoundedUp == 1_001)
        #expect(Duration.microseconds(1_000_001).millisecondsRoundedUp == 1_001)
        #expect(Duration.seconds(-1).millisecondsRoundedUp == 0)
        #expect(Duration.seconds(Int64.max).millisecondsRoundedUp == UInt64(Int64.max))
    }
}
