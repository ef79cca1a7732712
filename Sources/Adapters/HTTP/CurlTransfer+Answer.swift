extension CurlTransfer {
    /// Takes one header line; false stops the transfer.
    func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
        headerBytes += bytes.count
        guard headerBytes <= configuration.maximumHeaderBytes else {
            refused = .headersTooLarge
            return false
        }
        let line = String(decoding: bytes, as: UTF8.self)
        if line.hasPrefix("HTTP/") {
            headers = []
            let parts = line.split(whereSeparator: { $0.isWhitespace })
            let code = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
            // Interim answers say nothing yet about the request.
            if code >= 200 { status = code }
            return true
        }
        // Trailers come after the body and must not overrule what came before it.
        guard body.isEmpty, let colon = line.firstIndex(of: ":") else { return true }
        let value = line[line.index(after: colon)...]
        headers.append((String(line[..<colon]), Self.trimmed(value)))
        return true
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

    private static func trimmed(_ text: Substring) -> String {
        var rest = text.drop { $0.isWhitespace }
        while let last = rest.last, last.isWhitespace { rest.removeLast() }
        return String(rest)
    }
}
