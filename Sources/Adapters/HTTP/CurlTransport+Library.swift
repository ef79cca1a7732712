internal import CCurl

extension CurlTransport {
    /// The versions of libcurl and of its TLS library in this process.
    package static var libraryVersion: String { libraryVersions.joined(separator: " ") }

    /// libcurl and its TLS library, each as `name/version`.
    package static var libraryVersions: [String] {
        String(cString: curl_version()).split(separator: " ").prefix(2).map(String.init)
    }
}
