/// The compression formats of files, by the file's extension.
enum CompressedForm: String, Sendable, CaseIterable {
    /// RFC 1952, as `gzip` writes it.
    case gzip = "gz"
    /// RFC 8878, as `zstd` writes it.
    case zstd = "zst"

    /// Returns the format for the name of a file.
    init?(path: String) {
        guard let dot = path.lastIndex(of: "."),
            let form = CompressedForm(rawValue: path[path.index(after: dot)...].lowercased())
        else { return nil }
        self = form
    }

    /// The bytes with which every file of the format begins.
    var magic: [UInt8] {
        switch self {
        case .gzip: [0x1F, 0x8B]
        case .zstd: [0x28, 0xB5, 0x2F, 0xFD]
        }
    }

    /// Returns the decompressed content of a source.
    ///
    /// - Throws: A failure for a file that does not begin as its extension requires.
    func reading(_ source: any ByteSource) throws(Failure) -> any ByteSource {
        // The first bytes may arrive in several chunks.
        var beginning: [UInt8] = []
        while beginning.count < 4, let more = try source.next() { beginning += more }
        guard begins(beginning) || beginning.count < magic.count else { throw misnamed(beginning) }
        let whole = BufferedSource([beginning], before: source)
        switch self {
        case .gzip: return try GzipSource(whole)
        case .zstd: return try ZstdSource(whole)
        }
    }

    /// Returns a sink that compresses what is written.
    func writing(to sink: any ByteSink) throws(Failure) -> any ByteSink {
        switch self {
        case .gzip: try GzipSink(to: sink)
        case .zstd: try ZstdSink(to: sink)
        }
    }

    private func begins(_ bytes: [UInt8]) -> Bool {
        if bytes.starts(with: magic) { return true }
        // A skippable frame may precede the content.
        return self == .zstd && bytes.count >= 4 && bytes[0] & 0xF0 == 0x50
            && bytes[1..<4].elementsEqual([0x2A, 0x4D, 0x18])
    }

    /// The failure of a file with the wrong extension.
    private func misnamed(_ beginning: [UInt8]) -> Failure {
        let other = Self.allCases.first { beginning.starts(with: $0.magic) }
        let found = other.map { "it is a .\($0.rawValue)" } ?? "it is not compressed in that form"
        let hint =
            other.map { "give it a name that ends in .\($0.rawValue)" }
            ?? "take .\(rawValue) off its name, or unpack it by hand"
        return Failure(
            .damaged,
            "file.compression",
            "the file's name ends in .\(rawValue), and \(found)",
            hint: hint
        )
    }

    /// The failure of a file that is damaged or incomplete.
    func damaged(_ reason: String) -> Failure {
        Failure(
            .damaged,
            "file.compression",
            "the file is no sound .\(rawValue): \(reason)",
            hint: "copy it again; what was read of it before is not affected"
        )
    }

    /// The failure when the library cannot be used.
    func unavailable() -> Failure {
        Failure(.unavailable, "file.compression", "there is no memory for .\(rawValue)")
    }
}

/// The limit on the decompressed size of a small file.
struct ExpansionLimit {
    /// The decompressed size in bytes that every file may have: 64 MiB, which is the maximum length
    /// of a line.
    static let allowance = 64 << 20
    /// The maximum ratio of decompressed to compressed size above that.
    ///
    /// Every line contains hashes, which cannot be compressed, so that logs stay far below it.
    static let ratio = 500

    private var read = 0
    private var written = 0

    /// Counts the bytes that were read and those that were produced.
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
