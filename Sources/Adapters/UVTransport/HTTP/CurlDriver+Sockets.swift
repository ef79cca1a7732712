internal import CCurl
internal import CUV

extension CurlDriver {
    /// Registers the callbacks through which libcurl requests sockets and timers.
    func connect(_ multi: UnsafeMutableRawPointer) {
        let me = Unmanaged.passUnretained(self).toOpaque()
        ccurl_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, me)
        ccurl_multi_set_socket(multi) { _, socket, what, driver, _ in
            CurlDriver.of(driver)?.assumeIsolated { $0.watch(socket, what) }
            return 0
        }
        ccurl_multi_set_pointer(multi, CURLMOPT_TIMERDATA, me)
        ccurl_multi_set_timer(multi) { _, milliseconds, driver in
            CurlDriver.of(driver)?.assumeIsolated { $0.setTimer(milliseconds) }
            return 0
        }
    }

    private static func of(_ pointer: UnsafeMutableRawPointer?) -> CurlDriver? {
        guard let pointer else { return nil }
        return Unmanaged<CurlDriver>.fromOpaque(pointer).takeUnretainedValue()
    }

    private func watch(_ descriptor: Int32, _ what: Int32) {
        guard what != CURL_POLL_REMOVE else {
            sockets.removeValue(forKey: descriptor)?.close()
            return
        }
        guard let socket = sockets[descriptor] ?? CurlSocket(descriptor, of: self) else {
            // Without a watch, the transfer ends at its deadline.
            return
        }
        sockets[descriptor] = socket
        socket.listen(
            reads: what == CURL_POLL_IN || what == CURL_POLL_INOUT,
            writes: what == CURL_POLL_OUT || what == CURL_POLL_INOUT
        )
    }

    private func setTimer(_ milliseconds: Int) {
        guard milliseconds >= 0 else {
            timer?.stop()
            return
        }
        if timer == nil { timer = CurlTimer(of: self) }
        timer?.set(milliseconds: UInt64(milliseconds))
    }

    /// Lets libcurl handle activity on a socket, or a timeout.
    func act(on socket: curl_socket_t, _ events: Int32) {
        guard let multi else { return }
        var still: Int32 = 0
        turn.begin()
        curl_multi_socket_action(multi, socket, events, &still)
        collect()
    }
}

/// A libcurl socket that the loop watches.
///
/// - Note: Isolation: all members on the loop.
final class CurlSocket {
    private let driver: CurlDriver
    private let descriptor: Int32
    private var handle: UnsafeMutablePointer<uv_poll_t>?

    /// Starts watching a socket; `nil` when libuv refuses it.
    init?(_ descriptor: Int32, of driver: CurlDriver) {
        self.descriptor = descriptor
        self.driver = driver
        guard driver.loop.acceptsHandles else { return nil }
        let handle = UnsafeMutablePointer<uv_poll_t>.allocate(capacity: 1)
        guard uv_poll_init_socket(driver.loop.raw, handle, descriptor) == 0 else {
            handle.deallocate()
            return nil
        }
        handle.pointee.data = Unmanaged.passUnretained(self).toOpaque()
        self.handle = handle
    }

    /// Sets which events to watch.
    func listen(reads: Bool, writes: Bool) {
        let events =
            (reads ? Int32(UV_READABLE.rawValue) : 0) | (writes ? Int32(UV_WRITABLE.rawValue) : 0)
        uv_poll_start(handle, events) { handle, status, events in
            guard let data = handle?.pointee.data else { return }
            Unmanaged<CurlSocket>.fromOpaque(data).takeUnretainedValue().report(status, events)
        }
    }

    private func report(_ status: Int32, _ events: Int32) {
        var mask: Int32 = 0
        if events & Int32(UV_READABLE.rawValue) != 0 { mask |= CURL_CSELECT_IN }
        if events & Int32(UV_WRITABLE.rawValue) != 0 { mask |= CURL_CSELECT_OUT }
        if status < 0 { mask = CURL_CSELECT_ERR }
        driver.assumeIsolated { [descriptor] in $0.act(on: descriptor, mask) }
    }

    /// Stops watching; the descriptor remains libcurl's.
    func close() {
        guard let handle else { return }
        self.handle = nil
        uv_poll_stop(handle)
        UVHandle.close(handle)
    }
}
