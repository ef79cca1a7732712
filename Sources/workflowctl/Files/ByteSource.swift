internal import Adapters
internal import Glibc

/// Bytes that are read in pieces, so that they need not all be in memory.
protocol ByteSource: AnyObject {
    /// Returns the next piece, which is never empty; `nil` at the end.
    func next() throws(Failure) -> [UInt8]?
}

/// The bytes of a file descriptor.
final class DescriptorSource: ByteSource {
    /// The number of bytes read at once.
    static let pieceBytes = 1 << 16

    private let descriptor: Int32
    private let isOwned: Bool
    /// The number of bytes read so far.
    private(set) var count: Int64 = 0
    /// The total number of bytes, if the descriptor is a file's.
    let size: Int64?

    /// Creates a source for a descriptor that is not closed.
    convenience init(_ descriptor: Int32) { self.init(descriptor, isOwned: false) }

    private init(_ descriptor: Int32, isOwned: Bool) {
        self.descriptor = descriptor
        self.isOwned = isOwned
        size = FileFacts(descriptor: descriptor)?.size
    }

    /// Opens a file, which is closed with this object.
    convenience init(path: String) throws(Failure) {
        self.init(try FileBytes.opened(path), isOwned: true)
    }

    deinit {
        if isOwned { close(descriptor) }
    }

    func next() throws(Failure) -> [UInt8]? {
        // A regular file is always ready.
        if size == nil { try FileBytes.wait(for: descriptor) }
        var failure: Int32 = 0
        let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceBytes) { buffer, initialized in
            while true {
                let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                if count < 0, errno == EINTR || errno == EAGAIN { continue }
                if count < 0 { failure = errno }
                initialized = max(0, count)
                return
            }
        }
        guard failure == 0 else {
            errno = failure
            throw FileBytes.unreadable()
        }
        count += Int64(piece.count)
        return piece.isEmpty ? nil : piece
    }
}

/// Bytes that are already in memory, followed by those of another source.
final class BufferedSource: ByteSource {
    private var pieces: [[UInt8]]
    private let rest: (any ByteSource)?

    init(_ pieces: [[UInt8]], before rest: (any ByteSource)? = nil) {
        self.pieces = pieces.filter { !$0.isEmpty }.reversed()
        self.rest = rest
    }

    func next() throws(Failure) -> [UInt8]? {
        if let piece = pieces.popLast() { return piece }
        return try rest?.next()
    }
}

/// The input of a decompressor.
struct CompressedInput {
    private let form: CompressedForm
    private let source: any ByteSource
    private var limit = ExpansionLimit()
    /// The piece that is being decompressed.
    private(set) var bytes: [UInt8] = []
    /// How much of it was consumed.
    private(set) var offset = 0

    init(_ source: any ByteSource, as form: CompressedForm) {
        self.source = source
        self.form = form
    }

    /// Makes sure that there is input to decompress, and returns false at the end of the file.
    ///
    /// `isWithin` says whether a member of the file has begun and not ended, so that more input is
    /// required. `hasMore` says whether the library still holds decompressed bytes.
    mutating func fill(isWithin: Bool, hasMore: Bool) throws(Failure) -> Bool {
        guard offset == bytes.count, !hasMore else { return true }
        guard let more = try source.next() else {
            guard !isWithin else { throw form.damaged("it is truncated") }
            return false
        }
        (bytes, offset) = (more, 0)
        return true
    }

    /// Records how much was consumed, and how much output it gave.
    mutating func took(_ count: Int, unfoldingTo written: Int) throws(Failure) {
        offset += count
        try limit.count(read: count, written: written)
    }
}
