internal import CCurl
internal import HTTPTypes

/// One request inside libcurl: what it sends, and what has been received so far.
///
/// - Note: Isolation: all members on the loop; libcurl calls back on no other thread.
final class CurlTransfer {
    /// The maximum number of times that a repeatable request is sent: libcurl repeats it after a
    /// dead kept-alive connection.
    static let maximumDeparturesOfRepeatable = 2

    /// The handle that performs the request.
    let handle: CurlHandle
    let request: PreparedRequest
    let configuration: TransportConfiguration
    private let fields: RequestFields
    private let turn: CurlTurn

    /// The number of times that libcurl was about to send the request.
    private(set) var departures = 0
    /// The final status; 0 until it is received.
    var status = 0
    /// The header fields of the newest response.
    var headers = HeaderFields()
    /// The body length that the newest response announced, as received.
    var announcedLength: [UInt8]?
    /// The size of all header lines so far, in bytes.
    var headerBytes = 0
    /// The body received so far.
    var body: [UInt8] = []
    /// Why the transfer was stopped by this side.
    var refused: TransportFailure.Kind?
    /// Whether an address of the host was refused; another one may still be tried.
    private(set) var hasRefusedAddress = false

    /// Creates a transfer that libcurl does not know yet.
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

    /// The libcurl easy handle.
    var easy: UnsafeMutableRawPointer { handle.easy }

    /// How far the request got.
    ///
    /// libcurl calls `depart()` before it writes the first byte on a connection that is ready, TLS
    /// included. Without that call, nothing can have been sent.
    var reach: TransportFailure.Reach {
        if status != 0 { return .responded }
        return departures == 0 ? .notSent : .maybeSent
    }

    /// Counts a departure and returns whether the request may be sent now.
    ///
    /// When a kept-alive connection ends without a response, libcurl resends the request on its
    /// own, even a `POST`. The server may have acted on the first one, so a second is refused.
    func depart() -> Bool {
        departures += 1
        return departures <= (request.isRepeatable ? Self.maximumDeparturesOfRepeatable : 1)
    }

    /// Returns whether a connection to an address may be made; `nil` is one of another family.
    ///
    /// A host that is named as loopback may be this machine, and nothing else that is not public.
    func mayConnect(to address: NetworkAddress?) -> Bool {
        let isPermitted =
            request.url.isLoopback ? address?.isLoopback == true : address?.isPublic == true
        if !isPermitted { hasRefusedAddress = true }
        return isPermitted
    }

    /// Whether libcurl may continue to read.
    ///
    /// While a peer sends faster than it can be read, libcurl does not return, and neither other
    /// requests nor the loop's own deadline check can run. libcurl calls this after every hundred
    /// reads. Before the request is sent, only the handshake can take long, and libcurl bounds
    /// that.
    func mayGoOn() -> Bool {
        if LoopClock.monotonicNanoseconds() >= request.deadline {
            refused = .timedOut
        } else if departures > 0, turn.isLonger(than: configuration.maximumTurn) {
            refused = .endlessResponse
        }
        return refused == nil
    }

    /// Sets every option that depends on the request.
    func prepare() {
        handle.transfer = self
        ccurl_set_string(easy, CURLOPT_PROTOCOLS_STR, request.url.isSecure ? "https" : "http")
        ccurl_set_string(easy, CURLOPT_URL, request.url.text)
        if configuration.hasPins {
            // Set to `nil` as well: a handle serves one host after another.
            let pins = configuration.pins(of: request.url.host)
            ccurl_set_string(easy, CURLOPT_PINNEDPUBLICKEY, pins)
        }
        let connect = max(1, request.request.connectDeadline.millisecondsRoundedUp)
        ccurl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, Int(min(connect, UInt64(Int32.max))))
        // With 0 libcurl would set no limit; the body is counted as it arrives in any case.
        let limit = curl_off_t(max(1, request.request.maximumResponseBytes))
        ccurl_set_offset(easy, CURLOPT_MAXFILESIZE_LARGE, limit)
        setMethod()
        ccurl_set_list(easy, CURLOPT_HTTPHEADER, fields.list)
    }

    /// Sets the method and the body; the first option also resets what another method has set.
    private func setMethod() {
        let method = request.request.method
        ccurl_set_long(easy, CURLOPT_HTTPGET, 1)
        ccurl_set_string(easy, CURLOPT_CUSTOMREQUEST, nil)
        switch method {
        case .get: return
        case .head:
            ccurl_set_long(easy, CURLOPT_NOBODY, 1)
            return
        case .post: ccurl_set_long(easy, CURLOPT_POST, 1)
        default: ccurl_set_string(easy, CURLOPT_CUSTOMREQUEST, method.rawValue)
        }
        if method == .delete || method == .options, request.request.body == nil { return }
        let body = request.request.body ?? []
        ccurl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
        // libcurl copies the bytes.
        (body + [0]).withUnsafeBytes {
            _ = ccurl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, $0.baseAddress)
        }
    }

    /// Resets the options that were set for this request only; libcurl must have finished with it.
    func release() {
        ccurl_set_list(easy, CURLOPT_HTTPHEADER, nil)
        if !request.isRepeatable {
            ccurl_set_pointer(easy, CURLOPT_POSTFIELDS, nil)
            ccurl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, -1)
        }
        handle.transfer = nil
    }
}
