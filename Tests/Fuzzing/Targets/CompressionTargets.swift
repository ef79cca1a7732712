@testable import SwedbankPay
@testable import workflowctl

extension FuzzTarget {
    /// A file with the extension `.gz`.
    static let gzip = unfolding(.gzip, name: "gzip")

    /// A file with the extension `.zst`.
    static let zstd = unfolding(.zstd, name: "zstd")

    /// The content of a compressed file.
    private static func unfolding(_ form: CompressedForm, name: String) -> FuzzTarget {
        FuzzTarget(
            name: name,
            maximumLength: 16_384,
            replayRounds: 100,
            seeds: {
                let log = Array(GoldenLogs.lines[0])
                let packed = Compressed.bytes(of: log, as: form)
                // Several concatenated files are one file.
                return [packed, packed + packed, Compressed.bytes(of: [], as: form)]
            },
            check: { bytes throws(Broken) in
                let whole = Compressed.unfold([bytes], as: form)
                if let failure = whole.failure {
                    try hold(failure.status == .damaged, "a file that does not unfold is damaged")
                    try hold(
                        failure.code == "file.compression" || failure.code == "file.expansion",
                        "and it is said how"
                    )
                }
                try hold(
                    whole.bytes.count <= ExpansionLimit.allowance + DescriptorSource.pieceBytes
                        || whole.bytes.count / ExpansionLimit.ratio <= bytes.count,
                    "the bound on what a file unfolds to is kept"
                )
                let size = 1 + Int(bytes.last ?? 0) % 5
                let pieces = stride(from: 0, to: bytes.count, by: size).map {
                    Array(bytes[$0..<min(bytes.count, $0 + size)])
                }
                let again = Compressed.unfold(pieces, as: form)
                try hold(
                    (again.failure == nil) == (whole.failure == nil),
                    "pieces of another size end alike"
                )
                guard whole.failure == nil else { return false }
                try hold(again.bytes == whole.bytes, "pieces of another size give the same")
                let packed = Compressed.bytes(of: whole.bytes, as: form)
                try hold(
                    Compressed.unfold([packed], as: form).bytes == whole.bytes,
                    "what is compressed again unfolds to the same"
                )
                return true
            }
        )
    }
}

/// Compresses bytes in memory.
enum Compressed {
    /// Returns bytes in the form of a compressed file.
    static func bytes(of bytes: [UInt8], as form: CompressedForm) -> [UInt8] {
        let kept = KeptBytes()
        guard let sink = try? form.writing(to: kept), (try? sink.write(bytes)) != nil,
            (try? sink.finish()) != nil
        else { return [] }
        return kept.bytes
    }

    /// Returns the decompressed content of the chunks of a file, and the error that ended it.
    static func unfold(
        _ pieces: [[UInt8]],
        as form: CompressedForm
    ) -> (bytes: [UInt8], failure: Failure?) {
        var bytes: [UInt8] = []
        do throws(Failure) {
            let source = try form.reading(BufferedSource(pieces))
            while let piece = try source.next() {
                guard !piece.isEmpty else {
                    throw Failure(.defect, "file.compression", "a piece is empty")
                }
                bytes += piece
            }
            return (bytes, nil)
        } catch {
            return (bytes, error)
        }
    }

    private final class KeptBytes: ByteSink {
        var bytes: [UInt8] = []

        func write(_ bytes: [UInt8]) { self.bytes += bytes }

        func finish() {}
    }
}
