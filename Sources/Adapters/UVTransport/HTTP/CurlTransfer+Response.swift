extension CurlTransfer {
    /// Records one header line; returns `false` to stop the transfer.
    func receiveHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
        headerBytes += bytes.count
        guard headerBytes <= configuration.maximumHeaderBytes else {
            refused = .headersTooLarge
            return false
        }
        if bytes.starts(with: "HTTP/".utf8) {
            headers.removeAll()
            announcedLength = nil
            // Interim (1xx) responses are not the result of the request.
            let code = Self.statusCode(in: bytes)
            if code >= 200 { status = code }
            return true
        }
        // Trailers follow the body and must not override the headers before it.
        guard body.isEmpty else { return true }
        if let length = HeaderFields.contentLength(in: bytes) {
            // With two different lengths, each reader on the way may trust another one.
            guard announcedLength ?? length == length else {
                refused = .malformedResponse
                return false
            }
            announcedLength = length
        }
        headers.append(bytes)
        return true
    }

    /// The status code of a status line; 0 when it is not a number.
    private static func statusCode(in line: UnsafeRawBufferPointer) -> Int {
        let rest = line.drop { !HeaderFields.isBlank($0) }.drop(while: HeaderFields.isBlank)
        let word = rest.prefix { !HeaderFields.isBlank($0) }
        return Int(String(decoding: word, as: UTF8.self)) ?? 0
    }

    /// Records a chunk of the body; returns `false` to stop the transfer.
    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard body.count + bytes.count <= request.request.maximumResponseBytes else {
            refused = .responseTooLarge
            return false
        }
        body.append(contentsOf: bytes)
        return true
    }
}
