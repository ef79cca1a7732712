internal import CZlib

/// The parts of a zip archive in memory, such as a workbook; it is never unpacked to files.
///
/// Names of parts are only compared. Sizes are those of the archive's directory, and a part that
/// unpacks to another size is refused.
///
/// - Note: Source: PKWARE, ZIP file format specification (APPNOTE), 4.3.
struct ZipArchive {
    private struct Part {
        var name: String
        var isDeflated: Bool
        var packed: Int
        var unpacked: Int
        var checksum: UInt32
        var header: Int
    }

    private let bytes: [UInt8]
    private var parts: [Part] = []

    /// The names of the parts, in the order of the directory.
    var names: [String] { parts.map(\.name) }

    /// Reads the directory of an archive.
    ///
    /// - Throws: ``UnreadableReport`` when it is damaged, encrypted, in several volumes, or would
    ///   unpack to more than the limits allow.
    init(_ bytes: [UInt8], within limits: SettlementLimits) throws(UnreadableReport) {
        self.bytes = bytes
        let end = try endOfDirectory()
        let count = try number(at: end + 10, bytes: 2)
        guard try number(at: end + 4, bytes: 2) == 0, try number(at: end + 8, bytes: 2) == count
        else { throw Self.malformed("it consists of several volumes") }
        guard count <= limits.parts else { throw .limit("it has too many parts", limits.parts) }
        var next = try number(at: end + 16, bytes: 4)
        for _ in 0..<count {
            let (part, length) = try part(at: next)
            guard !parts.contains(where: { $0.name == part.name }) else {
                throw Self.malformed("it has two parts of the same name")
            }
            guard part.unpacked <= max(part.packed, 64) * limits.expansion else {
                throw .limit("a part unpacks to too many times its size", limits.expansion)
            }
            parts.append(part)
            next += length
        }
        guard parts.reduce(0, { $0 + $1.unpacked }) <= limits.unpackedBytes else {
            throw .limit("its parts unpack to too many bytes", limits.unpackedBytes)
        }
    }

    /// Returns the content of a part; `nil` when there is none of this name.
    ///
    /// - Throws: ``UnreadableReport`` when it does not unpack as the directory says.
    func content(of name: String) throws(UnreadableReport) -> [UInt8]? {
        guard let part = parts.first(where: { $0.name == name }) else { return nil }
        guard try number(at: part.header, bytes: 4) == 0x0403_4B50 else {
            throw Self.malformed("the directory points to no part")
        }
        let names = try number(at: part.header + 26, bytes: 2)
        let start = try part.header + 30 + names + number(at: part.header + 28, bytes: 2)
        guard start + part.packed <= bytes.count else {
            throw Self.malformed("a part is truncated")
        }
        let packed = bytes[start..<start + part.packed]
        let content = part.isDeflated ? Self.inflated(packed, to: part.unpacked) : Array(packed)
        guard let content, content.count == part.unpacked,
            content.withUnsafeBufferPointer({
                crc32(0, $0.baseAddress, UInt32($0.count))
            }) == UInt(part.checksum)
        else { throw Self.malformed("a part does not unpack to what the directory says") }
        return content
    }

    private static func malformed(_ words: String) -> UnreadableReport {
        UnreadableReport(.malformed, "the workbook is damaged: \(words)")
    }

    private func number(at offset: Int, bytes count: Int) throws(UnreadableReport) -> Int {
        guard offset >= 0, offset + count <= bytes.count else {
            throw Self.malformed("it is truncated")
        }
        return (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }

    /// Finds the end record, which a comment of up to 65,535 bytes may follow.
    private func endOfDirectory() throws(UnreadableReport) -> Int {
        let size = 22
        let first = max(0, bytes.count - size - 65_535)
        for offset in stride(from: bytes.count - size, through: first, by: -1)
        where bytes[offset...].starts(with: [0x50, 0x4B, 0x05, 0x06]) {
            return offset
        }
        throw Self.malformed("its directory is missing")
    }

    private func part(at offset: Int) throws(UnreadableReport) -> (Part, length: Int) {
        guard try number(at: offset, bytes: 4) == 0x0201_4B50 else {
            throw Self.malformed("its directory is damaged")
        }
        guard try number(at: offset + 8, bytes: 2) & 1 == 0 else {
            throw UnreadableReport(.unsafe, "the workbook is encrypted")
        }
        let method = try number(at: offset + 10, bytes: 2)
        guard method == 0 || method == 8 else {
            throw Self.malformed("a part is compressed by an unknown method")
        }
        let lengths = try (0..<3).map { index throws(UnreadableReport) in
            try number(at: offset + 28 + 2 * index, bytes: 2)
        }
        let name = offset + 46
        guard name + lengths[0] <= bytes.count else { throw Self.malformed("it is truncated") }
        let part = try Part(
            name: String(decoding: bytes[name..<name + lengths[0]], as: UTF8.self),
            isDeflated: method == 8,
            packed: number(at: offset + 20, bytes: 4),
            unpacked: number(at: offset + 24, bytes: 4),
            checksum: UInt32(number(at: offset + 16, bytes: 4)),
            header: number(at: offset + 42, bytes: 4)
        )
        return (part, 46 + lengths.reduce(0, +))
    }

    /// Unpacks a part; `nil` when it is damaged or larger than expected.
    private static func inflated(_ packed: ArraySlice<UInt8>, to size: Int) -> [UInt8]? {
        var stream = z_stream()
        return withUnsafeMutablePointer(to: &stream) { stream in
            guard czlib_begin_reading_entry(stream) == Z_OK else { return nil }
            defer { inflateEnd(stream) }
            var code: CInt = Z_BUF_ERROR
            // One byte more shows that a part is larger than it should be.
            let content = [UInt8](unsafeUninitializedCapacity: size + 1) { output, count in
                packed.withUnsafeBufferPointer { input in
                    // The library only reads there, although its header does not say so.
                    stream.pointee.next_in = input.baseAddress.map {
                        UnsafeMutablePointer(mutating: $0)
                    }
                    stream.pointee.avail_in = UInt32(input.count)
                    stream.pointee.next_out = output.baseAddress
                    stream.pointee.avail_out = UInt32(size + 1)
                    code = inflate(stream, Z_FINISH)
                    count = size + 1 - Int(stream.pointee.avail_out)
                }
            }
            return code == Z_STREAM_END ? content : nil
        }
    }
}
