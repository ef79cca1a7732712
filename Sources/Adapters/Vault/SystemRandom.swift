public import Workflow

/// Random bytes of the operating system, fit for keys and nonces.
public struct SystemRandom: RandomSource {
    /// The system's source.
    public init() {}

    /// So many unpredictable bytes.
    public func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        var result: [UInt8] = []
        result.reserveCapacity(max(0, count))
        while result.count < count {
            let word: UInt64 = generator.next()
            withUnsafeBytes(of: word) { result.append(contentsOf: $0.prefix(count - result.count)) }
        }
        return result
    }
}
