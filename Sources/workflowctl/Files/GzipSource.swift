internal import CZlib
internal import Inspection

/// The content of a gzip file, which has one or several members.
final class GzipSource: ByteSource {
    private let stream: UnsafeMutablePointer<z_stream>
    private var input: CompressedInput
    private var isWithin = true
    private var hasMore = false

    init(_ source: any ByteSource) throws(Failure) {
        input = CompressedInput(source, as: .gzip)
        // The library keeps a pointer to the stream, so it must not move.
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard czlib_begin_reading(stream) == Z_OK else { throw CompressedForm.gzip.unavailable() }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    func next() throws(Failure) -> [UInt8]? {
        while try input.fill(isWithin: isWithin, hasMore: hasMore) {
            let (piece, code, used) = inflatePiece()
            hasMore = piece.count == DescriptorSource.pieceBytes
            try input.took(used, unfoldingTo: piece.count)
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
        return nil
    }

    private func inflatePiece() -> (piece: [UInt8], code: Int32, used: Int) {
        var code: Int32 = 0
        var used = 0
        let offset = input.offset
        let piece = [UInt8](unsafeUninitializedCapacity: DescriptorSource.pieceBytes) {
            output,
            count in
            input.bytes.withUnsafeBufferPointer { bytes in
                // The library only reads there, although its header does not say so.
                stream.pointee.next_in = bytes.baseAddress.map {
                    UnsafeMutablePointer(mutating: $0 + offset)
                }
                stream.pointee.avail_in = UInt32(bytes.count - offset)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(output.count)
                code = inflate(stream, Z_NO_FLUSH)
                used = bytes.count - offset - Int(stream.pointee.avail_in)
                count = output.count - Int(stream.pointee.avail_out)
            }
        }
        return (piece, code, used)
    }
}
