internal import CCurl
internal import CUV

/// The single timer that libcurl requires, rescheduled several times per request.
///
/// - Note: Isolation: all members on the loop.
final class CurlTimer {
    private let driver: CurlDriver
    private var handle: UnsafeMutablePointer<uv_timer_t>?

    /// Creates a timer that is not set; `nil` when the loop is ending.
    init?(of driver: CurlDriver) {
        guard driver.loop.acceptsHandles else { return nil }
        self.driver = driver
        let handle = UnsafeMutablePointer<uv_timer_t>.allocate(capacity: 1)
        self.handle = handle
        uv_timer_init(driver.loop.raw, handle)
        handle.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    }

    /// Sets the timer, replacing any earlier setting.
    ///
    /// It may fire early by as much as libuv's cached clock is late; libcurl then asks again.
    func set(milliseconds: UInt64) {
        guard let handle else { return }
        uv_timer_start(
            handle,
            { handle in
                guard let data = handle?.pointee.data else { return }
                Unmanaged<CurlTimer>.fromOpaque(data).takeUnretainedValue().fire()
            },
            milliseconds,
            0
        )
    }

    private func fire() {
        driver.assumeIsolated { $0.act(on: ccurl_socket_timeout(), 0) }
    }

    /// Stops the timer; it can be set again.
    func stop() {
        guard let handle else { return }
        uv_timer_stop(handle)
    }

    /// Frees the timer.
    func close() {
        guard let handle else { return }
        self.handle = nil
        UVHandle.close(handle)
    }
}
