internal import CCurl

extension CurlTransport {
    /// The versions of libcurl and of its TLS library in this process.
    package static var libraryVersion: String { libraryVersions.joined(separator: " ") }

    /// libcurl and its TLS library, each as `name/version`.
    package static var libraryVersions: [String] {
        guard let facts = curl_version_info(CURLVERSION_FIRST)?.pointee else { return [] }
        let tls = facts.ssl_version.map { String(cString: $0) }
        return ["libcurl/" + String(cString: facts.version)] + (tls.map { [$0] } ?? [])
    }
}
