/// The forms in which a file may be compressed, told by its name.
enum CompressedForm: String, Sendable, CaseIterable {
    /// RFC 1952, as `gzip` writes it.
    case gzip = "gz"
    /// RFC 8878, as `zstd` writes it.
    case zstd = "zst"

    /// The form of a file of that name.
    init?(path: String) {
        guard let dot = path.lastIndex(of: "."),
            let form = CompressedForm(rawValue: path[path.index(after: dot)...].lowercased())
        else { return nil }
        self = form
    }

    /// What every file of the form begins with.
    var magic: [UInt8] {
        switch self {
        case .gzip: [0x1F, 0x8B]
        case .zstd: [0x28, 0xB5, 0x2F, 0xFD]
        }
    }

    /// Reads what a compressed source holds.
    func reading(_ source: any ByteSource) throws(Failure) -> any ByteSource {
        switch self {
        case .gzip: try GzipSource(source)
        case .zstd: try ZstdSource(source)
        }
    }

    /// Compresses what is written.
    func writing(to sink: any ByteSink) throws(Failure) -> any ByteSink {
        switch self {
        case .gzip: try GzipSink(to: sink)
        case .zstd: try ZstdSink(to: sink)
        }
    }

    /// The file is not what its name says, or not whole.
    func damaged(_ reason: String) -> Failure {
        Failure(
            .damaged,
            "file.compression",
            "the file is no sound .\(rawValue): \(reason)",
            hint: "copy it again; what was read of it before is not affected"
        )
    }

    /// The library refused to work at all.
    func unavailable() -> Failure {
        Failure(.unavailable, "file.compression", "there is no memory for .\(rawValue)")
    }
}

/// The bound on what a small file may unfold to.
struct ExpansionLimit {
    /// How many bytes a file may unfold to, however small it is: 64 MiB, as much as one line may have.
    static let allowance = 64 << 20
    /// How many times its own size a file may unfold to beyond that.
    ///
    /// Each line has a hash, which does not compress, so that logs stay far below.
    static let ratio = 500

    private var read = 0
    private var written = 0

    /// Counts what was read and what it unfolded to.
    mutating func count(read: Int, written: Int) throws(Failure) {
        self.read += read
        self.written += written
        guard self.written <= Self.allowance || self.written / Self.ratio <= self.read else {
            throw Failure(
                .damaged,
                "file.expansion",
                "the compressed file unfolds to more than \(Self.ratio) times its size",
                hint: "no log does; if you trust it, unfold it by hand and give the result"
            )
        }
    }
}
