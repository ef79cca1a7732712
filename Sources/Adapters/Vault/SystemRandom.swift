public import EventLog
internal import Glibc

/// Random bytes of the operating system, suitable for keys and nonces.
///
/// Each call reads from the system without a buffer: bytes cannot be returned twice, in this
/// process or in a copy of it.
public struct SystemRandom: RandomSource {
    /// The maximum number of bytes that the system returns per call.
    ///
    /// Source: getentropy(3).
    private static let mostBytesAtOnce = 256

    /// Creates the system's source.
    public init() {}

    /// Returns `count` unpredictable bytes.
    public func bytes(_ count: Int) -> [UInt8] {
        let wanted = max(0, count)
        return [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
            while filled < wanted {
                let end = min(filled + Self.mostBytesAtOnce, wanted)
                Self.fill(UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<end]))
                filled = end
            }
        }
    }

    private static func fill(_ piece: UnsafeMutableRawBufferPointer) {
        if let start = piece.baseAddress, getentropy(start, piece.count) == 0 { return }
        // For kernels without the call, the standard library uses other sources, and traps when
        // there are none.
        var generator = SystemRandomNumberGenerator()
        for place in piece.indices { piece[place] = generator.next() }
    }
}

extension UnsafeMutableRawBufferPointer {
    /// The same memory as a part of a buffer.
    fileprivate init(rebasing part: Slice<UnsafeMutableBufferPointer<UInt8>>) {
        self.init(UnsafeMutableBufferPointer(rebasing: part))
    }
}

extension BackendRoot {
    /// Creates an unguessable identifier: a UUID of the system's random bytes.
    public static func randomID() -> String { randomID(from: SystemRandom()) }
}
