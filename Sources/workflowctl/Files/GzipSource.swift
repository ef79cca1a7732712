internal import CZlib

/// What a gzip file holds: one member, or several one after the other.
final class GzipSource: ByteSource {
    private let source: any ByteSource
    private let stream: UnsafeMutablePointer<z_stream>
    private var input: [UInt8] = []
    private var offset = 0
    private var isWithin = true
    private var hasMore = false
    private var limit = ExpansionLimit()

    init(_ source: any ByteSource) throws(Failure) {
        self.source = source
        // The library keeps the address of the stream, so it must not move.
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard czlib_begin_reading(stream) == Z_OK else { throw CompressedForm.gzip.unavailable() }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    func next() throws(Failure) -> [UInt8]? {
        while true {
            if offset == input.count, !hasMore {
                guard let more = try source.next() else {
                    guard !isWithin else { throw CompressedForm.gzip.damaged("it is cut") }
                    return nil
                }
                (input, offset) = (more, 0)
            }
            let (piece, code, used) = inflatePiece()
            offset += used
            hasMore = piece.count == DescriptorSource.pieceBytes
            try limit.count(read: used, written: piece.count)
            switch code {
            case Z_STREAM_END:
                isWithin = false
                hasMore = false
                inflateReset(stream)
            case Z_OK, Z_BUF_ERROR: isWithin = true
            default:
                let reason = stream.pointee.msg.map { String(cString: $0) } ?? "error \(code)"
                throw CompressedForm.gzip.damaged(reason)
            }
            if !piece.isEmpty { return piece }
        }
    }

    private func inflatePiece() -> (piece: [UInt8], code: Int32, used: Int) {
        var code: Int32 = 0
        var used = 0
        let piece = [UInt8](unsafeUninitializedCapacity: DescriptorSource.pieceBytes) {
            output,
            count in
            input.withUnsafeMutableBufferPointer { input in
                stream.pointee.next_in = input.baseAddress.map { $0 + offset }
                stream.pointee.avail_in = UInt32(input.count - offset)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(output.count)
                code = inflate(stream, Z_NO_FLUSH)
                used = input.count - offset - Int(stream.pointee.avail_in)
                count = output.count - Int(stream.pointee.avail_out)
            }
        }
        return (piece, code, used)
    }
}
