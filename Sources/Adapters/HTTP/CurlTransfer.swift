internal import CCurl

/// One request inside libcurl: its options, and what has come back so far.
///
/// - Note: Isolation: on the loop, every member; libcurl calls back from nowhere else.
final class CurlTransfer {
    /// How often a request that may be repeated leaves: libcurl repeats once it finds a kept
    /// connection dead.
    static let maximumDeparturesOfRepeatable = 2

    /// The handle; the driver's.
    let easy: UnsafeMutableRawPointer
    let request: PreparedRequest
    let configuration: TransportConfiguration
    private var fields: UnsafeMutablePointer<curl_slist>?
    private var address: OpaquePointer?

    /// How often libcurl was about to send the request.
    private(set) var departures = 0
    /// The final status; 0 before it came.
    var status = 0
    /// The header fields of the newest answer.
    var headers: [(name: String, value: String)] = []
    /// Bytes of all header lines so far.
    var headerBytes = 0
    /// The body so far.
    var body: [UInt8] = []
    /// Why we refused to take more.
    var refused: TransportFailure.Kind?

    /// A transfer that libcurl does not know yet.
    init(
        _ request: PreparedRequest,
        easy: UnsafeMutableRawPointer,
        _ configuration: TransportConfiguration
    ) {
        self.request = request
        self.easy = easy
        self.configuration = configuration
    }

    /// How far the request got.
    ///
    /// libcurl asks before it writes the first byte on a connection that is ready, TLS included; so
    /// without that question nothing can have left.
    var reach: TransportFailure.Reach {
        if status != 0 { return .answered }
        return departures == 0 ? .notSent : .maybeSent
    }

    /// Whether the request may leave now.
    ///
    /// When a kept connection ends without an answer, libcurl sends the request again by itself, and a
    /// `POST` too: the server may have acted on the first one, so there is no second.
    private func depart() -> Bool {
        departures += 1
        return departures <= (request.isRepeatable ? Self.maximumDeparturesOfRepeatable : 1)
    }

    /// Sets every option.
    func prepare() throws(TransportFailure) {
        try setAddress()
        setTrust()
        setLimits()
        setMethod()
        setFields()
        let me = Unmanaged.passUnretained(self).toOpaque()
        ccurl_set_pointer(easy, CURLOPT_PREREQDATA, me)
        ccurl_set_prerequest(easy) { transfer, _, _, _, _ in
            CurlTransfer.of(transfer)?.depart() == true
                ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
        }
        ccurl_set_pointer(easy, CURLOPT_HEADERDATA, me)
        ccurl_set_write(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, transfer in
            let bytes = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return CurlTransfer.of(transfer)?.takeHeader(bytes) == true ? bytes.count : 0
        }
        ccurl_set_pointer(easy, CURLOPT_WRITEDATA, me)
        ccurl_set_write(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, transfer in
            let bytes = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return CurlTransfer.of(transfer)?.takeBody(bytes) == true ? bytes.count : 0
        }
    }

    private static func of(_ pointer: UnsafeMutableRawPointer?) -> CurlTransfer? {
        guard let pointer else { return nil }
        return Unmanaged<CurlTransfer>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Hands libcurl the address as we read it, and only if it reads the same host.
    private func setAddress() throws(TransportFailure) {
        let address = curl_url()
        self.address = address
        let refusal = TransportFailure(reach: .notSent, kind: .refusedURL(.malformed))
        let flags = UInt32(CURLU_PATH_AS_IS)
        guard curl_url_set(address, CURLUPART_URL, request.url.text, flags) == CURLUE_OK,
            part(CURLUPART_HOST) == request.url.host,
            part(CURLUPART_SCHEME) == (request.url.isSecure ? "https" : "http"),
            part(CURLUPART_USER) == nil, part(CURLUPART_PASSWORD) == nil
        else { throw refusal }
        ccurl_set_url(easy, address)
        let schemes = request.url.isSecure ? "https" : "http"
        ccurl_set_string(easy, CURLOPT_PROTOCOLS_STR, schemes)
        ccurl_set_long(easy, CURLOPT_PATH_AS_IS, 1)
        ccurl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0)
        // An empty proxy also keeps the environment's away.
        ccurl_set_string(easy, CURLOPT_PROXY, configuration.proxy ?? "")
        let direct = configuration.hostsWithoutProxy.joined(separator: ",")
        ccurl_set_string(easy, CURLOPT_NOPROXY, direct)
        ccurl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    }

    private func part(_ what: CURLUPart) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(address, what, &text, 0) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }

    private func setTrust() {
        ccurl_set_long(easy, CURLOPT_SSL_VERIFYPEER, 1)
        ccurl_set_long(easy, CURLOPT_SSL_VERIFYHOST, 2)
        ccurl_set_long(easy, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if let file = configuration.authorityFile {
            ccurl_set_string(easy, CURLOPT_CAINFO, file)
        }
        if !configuration.pinnedKeyDigests.isEmpty, request.url.isSecure {
            let pins = configuration.pinnedKeyDigests.map { "sha256//\($0)" }
            ccurl_set_string(easy, CURLOPT_PINNEDPUBLICKEY, pins.joined(separator: ";"))
        }
    }

    private func setLimits() {
        ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1)
        // A name lookup that hangs must not hold the loop when the request is given up.
        ccurl_set_long(easy, CURLOPT_QUICK_EXIT, 1)
        let connect = max(1, request.request.connectDeadline.millisecondsRoundedUp)
        ccurl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, Int(min(connect, UInt64(Int32.max))))
        let age = configuration.idleConnectionLifetime.components.seconds
        ccurl_set_long(easy, CURLOPT_MAXAGE_CONN, Int(max(1, age)))
        // With 0 libcurl would not limit at all; the body is counted as it comes in any case.
        let limit = curl_off_t(max(1, request.request.maximumResponseBytes))
        ccurl_set_offset(easy, CURLOPT_MAXFILESIZE_LARGE, limit)
        ccurl_set_long(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    }

    private func setMethod() {
        let method = request.request.method
        switch method {
        case "GET": return ignore(ccurl_set_long(easy, CURLOPT_HTTPGET, 1))
        case "HEAD": return ignore(ccurl_set_long(easy, CURLOPT_NOBODY, 1))
        case "POST": ccurl_set_long(easy, CURLOPT_POST, 1)
        default: ccurl_set_string(easy, CURLOPT_CUSTOMREQUEST, method)
        }
        if method == "DELETE" || method == "OPTIONS", request.request.body == nil { return }
        let body = request.request.body ?? []
        ccurl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
        // libcurl copies the bytes.
        (body + [0]).withUnsafeBytes {
            ignore(ccurl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, $0.baseAddress))
        }
    }

    private func ignore(_ result: CURLcode) {}

    private func setFields() {
        ccurl_set_string(easy, CURLOPT_USERAGENT, configuration.userAgent)
        // Without a value libcurl leaves out what it would add by itself.
        var lines = ["Expect:"]
        if !request.request.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
            lines.append("Content-Type:")
        }
        for (name, value) in request.request.headers {
            lines.append(value.allSatisfy { $0 == " " } ? "\(name);" : "\(name): \(value)")
        }
        for line in lines { fields = curl_slist_append(fields, line) ?? fields }
        ccurl_set_list(easy, CURLOPT_HTTPHEADER, fields)
    }

    /// Frees what libcurl was given; the handle must have been reset.
    func release() {
        curl_slist_free_all(fields)
        fields = nil
        curl_url_cleanup(address)
        address = nil
    }
}
