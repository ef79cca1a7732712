internal import CZstd

/// Compresses in the format of `zstd`, with a checksum.
final class ZstdSink: ByteSink {
    /// The compression level: the tool's own default.
    static let level: Int32 = 3

    private let sink: any ByteSink
    private let context: OpaquePointer

    init(to sink: any ByteSink) throws(Failure) {
        guard let context = ZSTD_createCCtx() else { throw CompressedForm.zstd.unavailable() }
        self.sink = sink
        self.context = context
        _ = ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, Self.level)
        _ = ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
    }

    deinit { ZSTD_freeCCtx(context) }

    func write(_ bytes: [UInt8]) throws(Failure) { try compress(bytes, ZSTD_e_continue) }

    func finish() throws(Failure) {
        try compress([], ZSTD_e_end)
        try sink.finish()
    }

    private func compress(
        _ bytes: [UInt8],
        _ directive: ZSTD_EndDirective
    ) throws(Failure) {
        var offset = 0
        while true {
            var left = 0
            let piece = [UInt8](unsafeUninitializedCapacity: DescriptorSource.pieceBytes) {
                output,
                count in
                bytes.withUnsafeBytes { input in
                    var from = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: offset)
                    var to = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
                    left = ZSTD_compressStream2(context, &to, &from, directive)
                    offset = from.pos
                    count = to.pos
                }
            }
            guard ZSTD_isError(left) == 0 else { throw CompressedForm.zstd.unavailable() }
            if !piece.isEmpty { try sink.write(piece) }
            if offset == bytes.count, directive == ZSTD_e_continue || left == 0 { return }
        }
    }
}
