internal import CCurl

/// A handle of libcurl's, used for one request after the other.
///
/// What holds for every request of a transport is set once, when the handle is made. Everything else is set anew for each
/// request by ``CurlTransfer``, so that nothing of one request is left over for the next.
///
/// - Note: Isolation: on the loop, every member; libcurl calls back from nowhere else.
final class CurlHandle {
    /// libcurl's own.
    let easy: UnsafeMutableRawPointer
    /// The request that it performs.
    var transfer: CurlTransfer?

    /// A handle that is ready for requests; nothing when there is no memory for one.
    init?(_ configuration: TransportConfiguration) {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        setTrust(configuration)
        setRoute(configuration)
        connect()
    }

    deinit { curl_easy_cleanup(easy) }

    /// The handle behind one of libcurl's.
    static func of(_ easy: UnsafeMutableRawPointer) -> CurlHandle? {
        var pointer: UnsafeMutableRawPointer?
        ccurl_get_private(easy, &pointer)
        return of(context: pointer)
    }

    private static func of(context pointer: UnsafeMutableRawPointer?) -> CurlHandle? {
        guard let pointer else { return nil }
        return Unmanaged<CurlHandle>.fromOpaque(pointer).takeUnretainedValue()
    }

    private func setTrust(_ configuration: TransportConfiguration) {
        ccurl_set_long(easy, CURLOPT_SSL_VERIFYPEER, 1)
        ccurl_set_long(easy, CURLOPT_SSL_VERIFYHOST, 2)
        ccurl_set_long(easy, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if let file = configuration.authorityFile {
            ccurl_set_string(easy, CURLOPT_CAINFO, file)
        }
    }

    private func setRoute(_ configuration: TransportConfiguration) {
        ccurl_set_long(easy, CURLOPT_PATH_AS_IS, 1)
        ccurl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0)
        // An empty proxy also keeps the environment's away.
        ccurl_set_string(easy, CURLOPT_PROXY, configuration.proxy ?? "")
        let direct = configuration.hostsWithoutProxy.joined(separator: ",")
        ccurl_set_string(easy, CURLOPT_NOPROXY, direct)
        ccurl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1)
        // A name lookup that hangs must not hold the loop when the request is given up.
        ccurl_set_long(easy, CURLOPT_QUICK_EXIT, 1)
        let age = configuration.idleConnectionLifetime.components.seconds
        ccurl_set_long(easy, CURLOPT_MAXAGE_CONN, Int(max(1, age)))
        ccurl_set_long(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        ccurl_set_string(easy, CURLOPT_USERAGENT, configuration.userAgent)
    }

    /// Lets libcurl find its way back to the request.
    private func connect() {
        let me = Unmanaged.passUnretained(self).toOpaque()
        ccurl_set_pointer(easy, CURLOPT_PRIVATE, me)
        ccurl_set_pointer(easy, CURLOPT_PREREQDATA, me)
        ccurl_set_prerequest(easy) { handle, _, _, _, _ in
            CurlHandle.of(context: handle)?.transfer?.depart() == true
                ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
        }
        ccurl_set_long(easy, CURLOPT_NOPROGRESS, 0)
        ccurl_set_pointer(easy, CURLOPT_XFERINFODATA, me)
        ccurl_set_progress(easy) { handle, _, _, _, _ in
            CurlHandle.of(context: handle)?.transfer?.mayGoOn() == false ? 1 : 0
        }
        ccurl_set_pointer(easy, CURLOPT_HEADERDATA, me)
        ccurl_set_write(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, handle in
            let bytes = UnsafeRawBufferPointer(start: bytes, count: size * count)
            let isTaken = CurlHandle.of(context: handle)?.transfer?.takeHeader(bytes) == true
            return isTaken ? bytes.count : 0
        }
        ccurl_set_pointer(easy, CURLOPT_WRITEDATA, me)
        ccurl_set_write(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, handle in
            let bytes = UnsafeRawBufferPointer(start: bytes, count: size * count)
            let isTaken = CurlHandle.of(context: handle)?.transfer?.takeBody(bytes) == true
            return isTaken ? bytes.count : 0
        }
    }
}
