import Testing

@testable import Adapters

@Suite struct SteadyReadingTests {
    /// A second, in the units of the two clocks.
    private let second = (wall: Int64(1_000_000), monotonic: Int64(1_000_000_000))

    @Test func `the time is the wall clock's, also after a jump ahead`() {
        var reading = SteadyReading(wall: 5 * second.wall, monotonic: 0)
        #expect(
            reading.microseconds(wall: 6 * second.wall, monotonic: second.monotonic)
                == 6 * second.wall
        )
        #expect(
            reading.microseconds(wall: 900 * second.wall, monotonic: 2 * second.monotonic)
                == 900 * second.wall
        )
    }

    @Test func `a wall clock that was set back holds nothing up, and is met again`() {
        var reading = SteadyReading(wall: 100 * second.wall, monotonic: 0)
        var last: Int64 = 0
        // Set back by ten seconds: twenty seconds later the two are together.
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
