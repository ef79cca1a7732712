internal import CCurl

extension CurlTransport {
    /// The version of libcurl that the program runs with, and of its TLS library.
    package static var libraryVersion: String {
        String(cString: curl_version()).split(separator: " ").prefix(2).joined(separator: " ")
    }
}
