import Testing

@testable import Adapters

@Suite struct SteadyReadingTests {
    /// One second in the units of the two clocks.
    private let second = (wall: Int64(1_000_000), monotonic: Int64(1_000_000_000))

    @Test func `the time follows a wall clock that is slewed`() {
        var reading = SteadyReading(wall: 5 * second.wall, monotonic: 0)
        for passed in Int64(1)...5 {
            // Slewed by a tenth of a second per second, forward and back.
            let wall = (5 + passed) * second.wall + (passed % 2) * second.wall / 10
            let time = reading.microseconds(wall: wall, monotonic: passed * second.monotonic)
            #expect(time == wall)
        }
    }

    @Test func `a jump of the wall clock ahead is followed once it has lasted`() {
        var reading = SteadyReading(wall: 0, monotonic: 0)
        for passed in Int64(1)...40 {
            let wall = (passed + 3600) * second.wall
            let time = reading.microseconds(wall: wall, monotonic: passed * second.monotonic)
            #expect(time == (passed <= 10 ? passed * second.wall : wall), "\(passed)")
        }
    }

    @Test func `a jump of the wall clock ahead that is reverted is ignored`() {
        var reading = SteadyReading(wall: 0, monotonic: 0)
        for passed in Int64(1)...40 {
            let isWrong = (5...9).contains(passed) || (20...25).contains(passed)
            let wall = (passed + (isWrong ? 86_400 : 0)) * second.wall
            let time = reading.microseconds(wall: wall, monotonic: passed * second.monotonic)
            #expect(time == passed * second.wall, "\(passed)")
        }
    }

    @Test func `a wall clock set back slows the time to half speed until the clock catches up`() {
        var reading = SteadyReading(wall: 100 * second.wall, monotonic: 0)
        var last: Int64 = 0
        // Set back by ten seconds: twenty seconds later the two agree.
        for passed in Int64(1)...40 {
            let wall = (90 + passed) * second.wall
            let time = reading.microseconds(wall: wall, monotonic: passed * second.monotonic)
            #expect(time >= last + second.wall / 2 || last == 0)
            #expect(time == max(wall, 100 * second.wall + passed * second.wall / 2))
            #expect(passed < 20 || time == wall)
            last = time
        }
    }
}
