internal import EventLog

/// SHA-256 over everything that happened, so that two runs can be compared by one value.
struct HistoryDigest: Sendable {
    private var digest = Digest256.zero
    private var buffer: [UInt8] = []

    /// The number of bytes hashed at once.
    private static let blockBytes = 4096

    /// Adds a step.
    mutating func add(_ kind: SimulatedStep.Kind, _ time: Instant, _ node: Int?, _ session: Int?) {
        buffer.append(kind.rawValue)
        add(UInt64(bitPattern: time.microseconds))
        buffer.append(UInt8(truncatingIfNeeded: node ?? 255))
        let place = UInt32(truncatingIfNeeded: session ?? -1)
        for shift in [UInt32(0), 8, 16, 24] {
            buffer.append(UInt8(truncatingIfNeeded: place >> shift))
        }
        flushIfFull()
    }

    /// Adds a record by its hash.
    mutating func add(_ hash: Digest256) {
        add(hash.words.0)
        add(hash.words.1)
        add(hash.words.2)
        add(hash.words.3)
        flushIfFull()
    }

    /// The digest of everything so far.
    var value: Digest256 { HashChain.hash(digest, buffer) }

    private mutating func add(_ word: UInt64) {
        withUnsafeBytes(of: word.littleEndian) { buffer.append(contentsOf: $0) }
    }

    private mutating func flushIfFull() {
        guard buffer.count >= Self.blockBytes else { return }
        digest = HashChain.hash(digest, buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
