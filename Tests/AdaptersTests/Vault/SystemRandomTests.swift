import TestSupport
import Testing

@testable import Adapters

@Suite(.duty("C-07")) struct SystemRandomTests {
    @Test(arguments: [0, 1, 7, 12, 32, 255, 256, 257, 1000])
    func `random bytes have the requested length and differ between calls`(count: Int) {
        let random = SystemRandom()
        let (first, second) = (random.bytes(count), random.bytes(count))
        #expect(first.count == count && second.count == count)
        // Seven bytes or more are equal by chance once in 2^56 runs.
        #expect(count < 7 || first != second)
        #expect(count < 64 || Set(first).count > 16)
        #expect(count < 512 || Set(first.suffix(count - 256)).count > 16)
    }

    @Test func `a negative number of random bytes returns none`() {
        #expect(SystemRandom().bytes(-1).isEmpty)
    }
}
