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
    ///
    /// - Throws: A failure for a file that does not begin as its name says.
    func reading(_ source: any ByteSource) throws(Failure) -> any ByteSource {
        // The first bytes may come in smaller pieces.
        var beginning: [UInt8] = []
        while beginning.count < 4, let more = try source.next() { beginning += more }
        guard begins(beginning) || beginning.count < magic.count else { throw misnamed(beginning) }
        let whole = BufferedSource([beginning], before: source)
        switch self {
        case .gzip: return try GzipSource(whole)
        case .zstd: return try ZstdSource(whole)
        }
    }

    /// Compresses what is written.
    func writing(to sink: any ByteSink) throws(Failure) -> any ByteSink {
        switch self {
        case .gzip: try GzipSink(to: sink)
        case .zstd: try ZstdSink(to: sink)
        }
    }

    private func begins(_ bytes: [UInt8]) -> Bool {
        if bytes.starts(with: magic) { return true }
        // A frame that says nothing of the content may stand in front.
        return self == .zstd && bytes.count >= 4 && bytes[0] & 0xF0 == 0x50
            && bytes[1..<4].elementsEqual([0x2A, 0x4D, 0x18])
    }

    /// The file is something else than its name says.
    private func misnamed(_ beginning: [UInt8]) -> Failure {
        let other = Self.allCases.first { beginning.starts(with: $0.magic) }
        let found =
            other.map { "the file is in .\($0.rawValue) format" }
            ?? "the file is not in that format"
        let hint =
            other.map { "rename it so that it ends in .\($0.rawValue)" }
            ?? "remove .\(rawValue) from its name, or decompress it with another tool"
        return Failure(
            .damaged,
            "file.compression",
            "the file name ends in .\(rawValue), but \(found)",
            hint: hint
        )
    }

    /// The file is not sound, or not whole.
    func damaged(_ reason: String) -> Failure {
        Failure(
            .damaged,
            "file.compression",
            "the .\(rawValue) file is damaged: \(reason)",
            hint: "copy the file again; records that were already read are not affected"
        )
    }

    /// The library refused to work at all.
    func unavailable() -> Failure {
        Failure(.unavailable, "file.compression", "not enough memory to use .\(rawValue)")
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
                "the file decompresses to more than \(Self.ratio) times its size",
                hint: "logs do not compress that well; if you trust the file, decompress it with "
                    + "another tool and use the result"
            )
        }
    }
}
