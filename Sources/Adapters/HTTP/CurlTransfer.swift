internal import CCurl

/// One request inside libcurl: what it sends, and what has come back so far.
///
/// - Note: Isolation: on the loop, every member; libcurl calls back from nowhere else.
final class CurlTransfer {
    /// How often a request that may be repeated leaves: libcurl repeats once it finds a kept
    /// connection dead.
    static let maximumDeparturesOfRepeatable = 2

    /// What performs it.
    let handle: CurlHandle
    let request: PreparedRequest
    let configuration: TransportConfiguration
    private let fields: RequestFields
    private let turn: CurlTurn

    /// How often libcurl was about to send the request.
    private(set) var departures = 0
    /// The final status; 0 before it came.
    var status = 0
    /// The header fields of the newest answer.
    var headers = HeaderFields()
    /// The length of the body as the newest answer announced it, to the letter.
    var announcedLength: [UInt8]?
    /// Bytes of all header lines so far.
    var headerBytes = 0
    /// The body so far.
    var body: [UInt8] = []
    /// Why we refused to take more.
    var refused: TransportFailure.Kind?

    /// A transfer that libcurl does not know yet.
    init(
        _ request: PreparedRequest,
        _ fields: RequestFields,
        on handle: CurlHandle,
        _ configuration: TransportConfiguration,
        in turn: CurlTurn
    ) {
        self.turn = turn
        self.request = request
        self.fields = fields
        self.handle = handle
        self.configuration = configuration
    }

    /// libcurl's own handle.
    var easy: UnsafeMutableRawPointer { handle.easy }

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
    func depart() -> Bool {
        departures += 1
        return departures <= (request.isRepeatable ? Self.maximumDeparturesOfRepeatable : 1)
    }

    /// Whether libcurl may read on.
    ///
    /// As long as a peer sends faster than it can be read, libcurl does not come back, so that neither another request nor
    /// the loop's own look at the deadlines has its turn. It asks after every hundred reads. A peer that was asked nothing yet
    /// has only the handshake to be long about, and libcurl bounds that.
    func mayGoOn() -> Bool {
        if LoopClock.monotonicNanoseconds() >= request.deadline {
            refused = .timedOut
        } else if departures > 0, turn.isLonger(than: configuration.maximumTurn) {
            refused = .endlessAnswer
        }
        return refused == nil
    }

    /// Sets every option that depends on the request.
    func prepare() {
        handle.transfer = self
        ccurl_set_string(easy, CURLOPT_PROTOCOLS_STR, request.url.isSecure ? "https" : "http")
        ccurl_set_string(easy, CURLOPT_URL, request.url.text)
        if configuration.hasPins {
            // Set back to nothing as well: a handle serves one host after the other.
            let pins = configuration.pins(of: request.url.host)
            ccurl_set_string(easy, CURLOPT_PINNEDPUBLICKEY, pins)
        }
        let connect = max(1, request.request.connectDeadline.millisecondsRoundedUp)
        ccurl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, Int(min(connect, UInt64(Int32.max))))
        // With 0 libcurl would not limit at all; the body is counted as it comes in any case.
        let limit = curl_off_t(max(1, request.request.maximumResponseBytes))
        ccurl_set_offset(easy, CURLOPT_MAXFILESIZE_LARGE, limit)
        setMethod()
        ccurl_set_list(easy, CURLOPT_HTTPHEADER, fields.list)
    }

    /// Sets the method and what is sent; the first option also takes back what another method has set.
    private func setMethod() {
        let method = request.request.method
        ccurl_set_long(easy, CURLOPT_HTTPGET, 1)
        ccurl_set_string(easy, CURLOPT_CUSTOMREQUEST, nil)
        switch method {
        case "GET": return
        case "HEAD":
            ccurl_set_long(easy, CURLOPT_NOBODY, 1)
            return
        case "POST": ccurl_set_long(easy, CURLOPT_POST, 1)
        default: ccurl_set_string(easy, CURLOPT_CUSTOMREQUEST, method)
        }
        if method == "DELETE" || method == "OPTIONS", request.request.body == nil { return }
        let body = request.request.body ?? []
        ccurl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
        // libcurl copies the bytes.
        (body + [0]).withUnsafeBytes {
            _ = ccurl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, $0.baseAddress)
        }
    }

    /// Takes back what libcurl was given for this request alone; libcurl must be done with it.
    func release() {
        ccurl_set_list(easy, CURLOPT_HTTPHEADER, nil)
        if !request.isRepeatable {
            ccurl_set_pointer(easy, CURLOPT_POSTFIELDS, nil)
            ccurl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, -1)
        }
        handle.transfer = nil
    }
}
