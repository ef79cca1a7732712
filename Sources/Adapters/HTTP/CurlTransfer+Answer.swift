extension CurlTransfer {
    /// Takes one header line; false stops the transfer.
    func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
        headerBytes += bytes.count
        guard headerBytes <= configuration.maximumHeaderBytes else {
            refused = .headersTooLarge
            return false
        }
        if bytes.starts(with: "HTTP/".utf8) {
            headers = []
            // Interim answers say nothing yet about the request.
            let code = Self.statusCode(in: bytes)
            if code >= 200 { status = code }
            return true
        }
        // Trailers come after the body and must not overrule what came before it.
        guard body.isEmpty, let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else {
            return true
        }
        let name = UnsafeRawBufferPointer(rebasing: bytes[..<colon])
        let value = Self.trimmed(bytes[(colon + 1)...])
        headers.append(
            (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
        )
        return true
    }

    /// The second word of a status line; 0 when it is no number.
    private static func statusCode(in line: UnsafeRawBufferPointer) -> Int {
        let rest = line.drop { !isBlank($0) }.drop(while: isBlank)
        let word = rest.prefix { !isBlank($0) }
        return Int(String(decoding: word, as: UTF8.self)) ?? 0
    }

    /// Takes a piece of the body; false stops the transfer.
    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard body.count + bytes.count <= request.request.maximumResponseBytes else {
            refused = .responseTooLarge
            return false
        }
        body.append(contentsOf: bytes)
        return true
    }

    /// A value without the blanks and the line end around it.
    private static func trimmed(
        _ bytes: Slice<UnsafeRawBufferPointer>
    ) -> UnsafeRawBufferPointer {
        var rest = bytes.drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest = rest.dropLast() }
        return UnsafeRawBufferPointer(rebasing: rest)
    }

    /// Whether a byte is what stands between the parts of a header line.
    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (9...13).contains(byte)
    }
}
