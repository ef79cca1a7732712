internal import CCurl
internal import Glibc

/// A libcurl easy handle, reused for one request after another.
///
/// Options that hold for every request of a transport are set once, when the handle is created.
/// ``CurlTransfer`` sets all others for each request, so that nothing carries over from one request
/// to the next.
///
/// - Note: Isolation: all members on the loop; libcurl calls back on no other thread.
final class CurlHandle {
    /// The easy handle.
    let easy: UnsafeMutableRawPointer
    /// The request being performed.
    var transfer: CurlTransfer?

    /// Creates a handle that is ready for requests; `nil` when memory is exhausted.
    init?(_ configuration: TransportConfiguration) {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        setTrust(configuration)
        setRoute(configuration)
        connect()
        if configuration.refusesPrivateAddresses { refusePrivateAddresses() }
    }

    deinit { curl_easy_cleanup(easy) }

    /// The handle that owns an easy handle.
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
        // An empty string also disables the proxies of the environment.
        ccurl_set_string(easy, CURLOPT_PROXY, configuration.proxy ?? "")
        let direct = configuration.hostsWithoutProxy.joined(separator: ",")
        ccurl_set_string(easy, CURLOPT_NOPROXY, direct)
        ccurl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1)
        // A name lookup that hangs must not block the loop when the request is abandoned.
        ccurl_set_long(easy, CURLOPT_QUICK_EXIT, 1)
        let age = configuration.idleConnectionLifetime.components.seconds
        ccurl_set_long(easy, CURLOPT_MAXAGE_CONN, Int(max(1, age)))
        ccurl_set_long(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        ccurl_set_string(easy, CURLOPT_USERAGENT, configuration.userAgent)
    }

    /// Registers the callbacks and the pointers through which they find this handle.
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
            let isTaken = CurlHandle.of(context: handle)?.transfer?.receiveHeader(bytes) == true
            return isTaken ? bytes.count : 0
        }
        ccurl_set_pointer(easy, CURLOPT_WRITEDATA, me)
        ccurl_set_write(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, handle in
            let bytes = UnsafeRawBufferPointer(start: bytes, count: size * count)
            let isTaken = CurlHandle.of(context: handle)?.transfer?.receiveBody(bytes) == true
            return isTaken ? bytes.count : 0
        }
    }

    /// Lets connections be made only to addresses that the request permits.
    ///
    /// libcurl asks for a socket once it knows the address, for every address that it tries. So a
    /// name that resolves to another address later does not get around it.
    private func refusePrivateAddresses() {
        ccurl_set_pointer(
            easy,
            CURLOPT_OPENSOCKETDATA,
            Unmanaged.passUnretained(self).toOpaque()
        )
        ccurl_set_open_socket(easy) { handle, _, address in
            guard let address, let transfer = CurlHandle.of(context: handle)?.transfer else {
                return ccurl_socket_bad()
            }
            let length = min(Int(address.pointee.addrlen), MemoryLayout<sockaddr_storage>.size)
            let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0
            let bytes = UnsafeRawBufferPointer(
                start: UnsafeRawPointer(address).advanced(by: offset),
                count: length
            )
            guard transfer.mayConnect(to: NetworkAddress(socketAddress: bytes)) else {
                return ccurl_socket_bad()
            }
            return socket(
                address.pointee.family,
                address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
                address.pointee.protocol
            )
        }
    }
}
