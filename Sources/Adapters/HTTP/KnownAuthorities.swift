internal import CCurl

/// The schemes, hosts and ports that libcurl reads as we do.
///
/// Two parsers that find different hosts in one address are a classic way past a list of permitted hosts. What a parser
/// takes for the host depends on nothing behind the first slash, which our addresses always have there, so each
/// beginning is compared once.
///
/// - Note: Isolation: on the loop, every member.
struct KnownAuthorities {
    /// How many are remembered; past it all are forgotten and compared again.
    static let limit = 256

    private var known: Set<String> = []

    /// Whether libcurl finds in an address what we found.
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
