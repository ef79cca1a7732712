internal import CZstd

/// What a Zstandard file holds: one frame, or several one after the other.
final class ZstdSource: ByteSource {
    /// How much of what was unfolded a frame may refer back to, as a power of two: 128 MiB, which is what the `zstd` tool
    /// takes by itself; it is the memory that a hostile file can make us use.
    static let windowBits: Int32 = 27

    private let source: any ByteSource
    private let context: OpaquePointer
    private var input: [UInt8] = []
    private var offset = 0
    private var isWithin = true
    private var hasMore = false
    private var limit = ExpansionLimit()

    init(_ source: any ByteSource) throws(Failure) {
        guard let context = ZSTD_createDCtx() else { throw CompressedForm.zstd.unavailable() }
        self.source = source
        self.context = context
        _ = ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Self.windowBits)
    }

    deinit { ZSTD_freeDCtx(context) }

    func next() throws(Failure) -> [UInt8]? {
        while true {
            if offset == input.count, !hasMore {
                guard let more = try source.next() else {
                    guard !isWithin else { throw CompressedForm.zstd.damaged("it is cut") }
                    return nil
                }
                (input, offset) = (more, 0)
            }
            let (piece, hint, used) = unfoldPiece()
            guard ZSTD_isError(hint) == 0 else {
                throw CompressedForm.zstd.damaged(String(cString: ZSTD_getErrorName(hint)))
            }
            offset += used
            isWithin = hint != 0
            hasMore = isWithin && piece.count == DescriptorSource.pieceBytes
            try limit.count(read: used, written: piece.count)
            if !piece.isEmpty { return piece }
        }
    }

    private func unfoldPiece() -> (piece: [UInt8], hint: Int, used: Int) {
        var hint = 0
        var used = 0
        let piece = [UInt8](unsafeUninitializedCapacity: DescriptorSource.pieceBytes) {
            output,
            count in
            input.withUnsafeBytes { input in
                var from = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: offset)
                var to = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
                hint = ZSTD_decompressStream(context, &to, &from)
                used = from.pos - offset
                count = to.pos
            }
        }
        return (piece, hint, used)
    }
}
