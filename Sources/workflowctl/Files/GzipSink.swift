internal import CZlib

/// Compresses as `gzip` does, without a name and a time in the header: equal input gives equal
/// files.
final class GzipSink: ByteSink {
    /// The compression level: the tool's own default.
    static let level: Int32 = 6

    private let sink: any ByteSink
    private let stream: UnsafeMutablePointer<z_stream>

    init(to sink: any ByteSink) throws(Failure) {
        self.sink = sink
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard czlib_begin_writing(stream, Self.level) == Z_OK else {
            throw CompressedForm.gzip.unavailable()
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    func write(_ bytes: [UInt8]) throws(Failure) { try deflate(bytes, Z_NO_FLUSH) }

    func finish() throws(Failure) {
        try deflate([], Z_FINISH)
        try sink.finish()
    }

    private func deflate(_ bytes: [UInt8], _ flush: Int32) throws(Failure) {
        var bytes = bytes
        var offset = 0
        while true {
            var code: Int32 = 0
            let piece = [UInt8](unsafeUninitializedCapacity: DescriptorSource.pieceBytes) {
                output,
                count in
                bytes.withUnsafeMutableBufferPointer { input in
                    stream.pointee.next_in = input.baseAddress.map { $0 + offset }
                    stream.pointee.avail_in = UInt32(input.count - offset)
                    stream.pointee.next_out = output.baseAddress
                    stream.pointee.avail_out = UInt32(output.count)
                    code = CZlib.deflate(stream, flush)
                    offset = input.count - Int(stream.pointee.avail_in)
                    count = output.count - Int(stream.pointee.avail_out)
                }
            }
            if !piece.isEmpty { try sink.write(piece) }
            let isFull = piece.count == DescriptorSource.pieceBytes
            let isDone = flush == Z_FINISH ? code == Z_STREAM_END : offset == bytes.count && !isFull
            if isDone { return }
        }
    }
}
