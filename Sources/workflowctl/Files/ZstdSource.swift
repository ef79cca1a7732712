internal import CZstd
internal import Inspection

/// The content of a Zstandard file, which has one or several frames.
final class ZstdSource: ByteSource {
    /// The largest window that a frame may use, as a power of two: 128 MiB, the default limit of
    /// the `zstd` tool.
    ///
    /// It bounds the memory that a hostile file can make this process use.
    static let windowBits: Int32 = 27

    private let context: OpaquePointer
    private var input: CompressedInput
    private var isWithin = true
    private var hasMore = false

    init(_ source: any ByteSource) throws(Failure) {
        guard let context = ZSTD_createDCtx() else { throw CompressedForm.zstd.unavailable() }
        input = CompressedInput(source, as: .zstd)
        self.context = context
        _ = ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Self.windowBits)
    }

    deinit { ZSTD_freeDCtx(context) }

    func next() throws(Failure) -> [UInt8]? {
        while try input.fill(isWithin: isWithin, hasMore: hasMore) {
            let (piece, hint, used) = unfoldPiece()
            guard ZSTD_isError(hint) == 0 else {
                throw CompressedForm.zstd.damaged(String(cString: ZSTD_getErrorName(hint)))
            }
            isWithin = hint != 0
            hasMore = isWithin && piece.count == DescriptorSource.pieceBytes
            try input.took(used, unfoldingTo: piece.count)
            if !piece.isEmpty { return piece }
        }
        return nil
    }

    private func unfoldPiece() -> (piece: [UInt8], hint: Int, used: Int) {
        var hint = 0
        var used = 0
        let piece = [UInt8](unsafeUninitializedCapacity: DescriptorSource.pieceBytes) {
            output,
            count in
            input.bytes.withUnsafeBytes { bytes in
                var from = ZSTD_inBuffer(
                    src: bytes.baseAddress,
                    size: bytes.count,
                    pos: input.offset
                )
                var to = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
                hint = ZSTD_decompressStream(context, &to, &from)
                used = from.pos - input.offset
                count = to.pos
            }
        }
        return (piece, hint, used)
    }
}
