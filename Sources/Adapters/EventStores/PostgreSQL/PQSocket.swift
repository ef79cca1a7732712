internal import CUV
internal import Glibc
internal import UVTransport

/// The socket of a connection, watched by the loop.
///
/// - Note: Isolation: all members on the loop.
final class PQSocket {
    private var handle: UnsafeMutablePointer<uv_poll_t>?
    private let report: () -> Void
    private let descriptor: Int32
    private var count: ArrivedBytes
    /// The number of bytes that have arrived on the connection so far.
    var arrived: Int64 { count.read(descriptor) }

    /// Starts watching a socket; `nil` when libuv refuses it.
    ///
    /// - Parameters:
    ///   - descriptor: The socket.
    ///   - loop: The loop.
    ///   - report: Called on the loop when the socket is readable, writable or has an error.
    init?(_ descriptor: Int32, on loop: UVLoop, _ report: @escaping () -> Void) {
        self.report = report
        self.descriptor = descriptor
        count = ArrivedBytes(descriptor)
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

/// Counts the bytes that arrive on a socket, which libpq does not tell.
private struct ArrivedBytes {
    private var isLocal = false
    /// The bytes that earlier marks have counted.
    private var counted: Int64 = 0

    /// The options of a socket, which glibc does not declare all.
    ///
    /// - Note: Source: Linux, `asm-generic/socket.h` and `linux/tcp.h`.
    private static let (peekOffset, information): (CInt, CInt) = (42, 11)
    private static let mark = CInt.max
    /// The place of `tcpi_bytes_received` in `struct tcp_info`.
    private static let place = 128

    init(_ descriptor: CInt) { isLocal = Self.set(descriptor) }

    /// Returns the number of bytes; 0 where the system does not count them.
    mutating func read(_ descriptor: CInt) -> Int64 {
        guard isLocal else { return Self.received(descriptor) }
        // What is read moves the mark of what could be peeked at towards the beginning.
        var mark: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        guard getsockopt(descriptor, SOL_SOCKET, Self.peekOffset, &mark, &size) == 0 else {
            return counted
        }
        let total = counted + Int64(Self.mark - mark)
        if mark < Self.mark / 2, Self.set(descriptor) { counted = total }
        return total
    }

    private static func set(_ descriptor: CInt) -> Bool {
        var (domain, mark) = (CInt(0), mark)
        var size = socklen_t(MemoryLayout<CInt>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0
            && domain == AF_UNIX
            && setsockopt(descriptor, SOL_SOCKET, peekOffset, &mark, size) == 0
    }

    private static func received(_ descriptor: CInt) -> Int64 {
        var facts = [UInt8](repeating: 0, count: place + 8)
        var size = socklen_t(facts.count)
        let status = getsockopt(descriptor, CInt(IPPROTO_TCP), information, &facts, &size)
        guard status == 0, Int(size) == facts.count else { return 0 }
        return facts.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: Int64.self) }
    }
}
