internal import CUV

/// The socket of a connection, watched by the loop.
///
/// - Note: Isolation: all members on the loop.
final class PQSocket {
    private var handle: UnsafeMutablePointer<uv_poll_t>?
    private let report: () -> Void

    /// Starts watching a socket; `nil` when libuv refuses it.
    ///
    /// - Parameters:
    ///   - descriptor: The socket.
    ///   - loop: The loop.
    ///   - report: Called on the loop when the socket is readable, writable or has an error.
    init?(_ descriptor: Int32, on loop: UVLoop, _ report: @escaping () -> Void) {
        self.report = report
        guard loop.acceptsHandles, descriptor >= 0 else { return nil }
        let handle = UnsafeMutablePointer<uv_poll_t>.allocate(capacity: 1)
        guard uv_poll_init_socket(loop.raw, handle, descriptor) == 0 else {
            handle.deallocate()
            return nil
        }
        handle.pointee.data = Unmanaged.passUnretained(self).toOpaque()
        self.handle = handle
    }

    /// Sets which events to watch.
    func listen(reads: Bool, writes: Bool) {
        guard let handle else { return }
        let events =
            (reads ? Int32(UV_READABLE.rawValue) : 0) | (writes ? Int32(UV_WRITABLE.rawValue) : 0)
        uv_poll_start(handle, events) { handle, _, _ in
            // An error becomes visible in libpq's next call.
            guard let data = handle?.pointee.data else { return }
            Unmanaged<PQSocket>.fromOpaque(data).takeUnretainedValue().report()
        }
    }

    /// Stops watching, which must happen before libpq closes the socket.
    func close() {
        guard let handle else { return }
        self.handle = nil
        uv_poll_stop(handle)
        UVHandle.close(handle)
    }
}
