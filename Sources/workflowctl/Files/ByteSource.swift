internal import Adapters
internal import Glibc

/// Bytes that are read piece by piece, so that nobody has to hold all of them.
protocol ByteSource: AnyObject {
    /// The next piece, never empty; nothing at the end.
    func next() throws(Failure) -> [UInt8]?
}

/// The bytes of a descriptor.
final class DescriptorSource: ByteSource {
    /// How many bytes are read at once.
    static let pieceBytes = 1 << 16

    private let descriptor: Int32
    private let isOwned: Bool
    /// How many bytes were read.
    private(set) var count: Int64 = 0
    /// How many bytes there are, when the descriptor is a file's.
    let size: Int64?

    /// Reads a descriptor that stays open.
    convenience init(_ descriptor: Int32) { self.init(descriptor, isOwned: false) }

    private init(_ descriptor: Int32, isOwned: Bool) {
        self.descriptor = descriptor
        self.isOwned = isOwned
        size = FileFacts(descriptor: descriptor)?.size
    }

    /// Opens a file, and closes it in the end.
    convenience init(path: String) throws(Failure) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileBytes.unopened() }
        self.init(descriptor, isOwned: true)
    }

    deinit {
        if isOwned { close(descriptor) }
    }

    func next() throws(Failure) -> [UInt8]? {
        var failure: Int32 = 0
        let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceBytes) { buffer, initialized in
            while true {
                let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                if count < 0, errno == EINTR { continue }
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

/// Bytes that are in memory already, before those of another source.
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

/// The bytes of a compressed source that wait to be unfolded.
struct CompressedInput {
    private let form: CompressedForm
    private let source: any ByteSource
    private var limit = ExpansionLimit()
    /// The piece that is being unfolded.
    private(set) var bytes: [UInt8] = []
    /// How much of it was taken.
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

    /// Notes how much was taken and what it unfolded to.
    mutating func took(_ count: Int, unfoldingTo written: Int) throws(Failure) {
        offset += count
        try limit.count(read: count, written: written)
    }
}
