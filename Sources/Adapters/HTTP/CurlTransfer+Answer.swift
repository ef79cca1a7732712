extension CurlTransfer {
    /// Takes one header line; false stops the transfer.
    func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
        headerBytes += bytes.count
        guard headerBytes <= configuration.maximumHeaderBytes else {
            refused = .headersTooLarge
            return false
        }
        if bytes.starts(with: "HTTP/".utf8) {
            headers.removeAll()
            announcedLength = nil
            // Interim answers say nothing yet about the request.
            let code = Self.statusCode(in: bytes)
            if code >= 200 { status = code }
            return true
        }
        // Trailers come after the body and must not overrule what came before it.
        guard body.isEmpty else { return true }
        if let length = HeaderFields.contentLength(in: bytes) {
            // Of two lengths each reader between us and the PSP may believe another one.
            guard announcedLength ?? length == length else {
                refused = .malformedAnswer
                return false
            }
            announcedLength = length
        }
        headers.append(bytes)
        return true
    }

    /// The second word of a status line; 0 when it is no number.
    private static func statusCode(in line: UnsafeRawBufferPointer) -> Int {
        let rest = line.drop { !HeaderFields.isBlank($0) }.drop(while: HeaderFields.isBlank)
        let word = rest.prefix { !HeaderFields.isBlank($0) }
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
}
