/// The compression formats of files, chosen by the name's extension.
enum CompressedForm: String, Sendable, CaseIterable {
    /// RFC 1952, as `gzip` writes it.
    case gzip = "gz"
    /// RFC 8878, as `zstd` writes it.
    case zstd = "zst"

    /// Creates the format of a file by its name.
    init?(path: String) {
        guard let dot = path.unicodeScalars.lastIndex(of: "."),
            let form = CompressedForm(
                rawValue: String(path.unicodeScalars[dot...].dropFirst()).lowercased()
            )
        else { return nil }
        self = form
    }

    /// The first bytes of every file of the format.
    var magic: [UInt8] {
        switch self {
        case .gzip: [0x1F, 0x8B]
        case .zstd: [0x28, 0xB5, 0x2F, 0xFD]
        }
    }

    /// Returns a source that decompresses another.
    ///
    /// - Throws: A failure for a file whose first bytes do not fit its name.
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

    /// Returns a sink that compresses into another.
    func writing(to sink: any ByteSink) throws(Failure) -> any ByteSink {
        switch self {
        case .gzip: try GzipSink(to: sink)
        case .zstd: try ZstdSink(to: sink)
        }
    }

    private func begins(_ bytes: [UInt8]) -> Bool {
        if bytes.starts(with: magic) { return true }
        // A skippable frame may come first.
        return self == .zstd && bytes.count >= 4 && bytes[0] & 0xF0 == 0x50
            && bytes[1..<4].elementsEqual([0x2A, 0x4D, 0x18])
    }

    /// Returns the failure for a file whose content does not fit its name.
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

    /// Returns the failure for a damaged or incomplete file.
    func damaged(_ reason: String) -> Failure {
        Failure(
            .damaged,
            "file.compression",
            "the .\(rawValue) file is damaged: \(reason)",
            hint: "copy the file again; records that were already read are not affected"
        )
    }

    /// Returns the failure when the library cannot be initialized.
    func unavailable() -> Failure {
        Failure(.unavailable, "file.compression", "not enough memory to use .\(rawValue)")
    }
}

/// A limit on the size to which a small file may decompress.
struct ExpansionLimit {
    /// The size to which any file may decompress: 64 MiB, the limit of one line.
    static let allowance = 64 << 20
    /// The maximum expansion beyond that, as a multiple of the file's size.
    ///
    /// Each line contains a hash, which does not compress, so logs stay far below.
    static let ratio = 500

    private var read = 0
    private var written = 0

    /// Counts the bytes read and decompressed.
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
