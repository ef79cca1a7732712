internal import CCurl

/// The schemes, hosts and ports that libcurl parses as this client does.
///
/// Two parsers that find different hosts in one address are a classic way around a list of
/// permitted hosts. Which host a parser finds does not depend on anything after the first slash,
/// which our addresses always have, so each beginning is compared once.
///
/// - Note: Isolation: all members on the loop.
struct KnownAuthorities {
    /// The maximum number of entries; beyond it, all are dropped and compared again.
    static let limit = 256

    private var known: Set<String> = []

    /// Whether libcurl finds the same scheme, host and port in an address.
    mutating func agree(on url: RequestURL) -> Bool {
        let beginning = url.beginning
        if known.contains(beginning) { return true }
        guard Self.compare(url, beginning) else { return false }
        if known.count >= Self.limit { known = [] }
        known.insert(beginning)
        return true
    }

    private static func compare(_ url: RequestURL, _ beginning: String) -> Bool {
        let address = curl_url()
        defer { curl_url_cleanup(address) }
        func part(_ what: CURLUPart) -> String? {
            var text: UnsafeMutablePointer<CChar>?
            guard curl_url_get(address, what, &text, 0) == CURLUE_OK, let text else { return nil }
            defer { curl_free(text) }
            return String(cString: text)
        }
        return curl_url_set(address, CURLUPART_URL, beginning + "/", UInt32(CURLU_PATH_AS_IS))
            == CURLUE_OK
            && part(CURLUPART_HOST) == url.host
            && part(CURLUPART_SCHEME) == (url.isSecure ? "https" : "http")
            && part(CURLUPART_USER) == nil && part(CURLUPART_PASSWORD) == nil
    }
}
