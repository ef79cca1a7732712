import EventLog
import SwedbankPay
import Workflow

/// A generator of reproducible numbers (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }
}

/// Bytes that count up: the same in every run, so that a golden log can be recreated.
final class CountingBytes: RandomSource, @unchecked Sendable {
    // Only used by one test on one thread.
    private var last: UInt8 = 0

    func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in
            last &+= 1
            return last
        }
    }
}
