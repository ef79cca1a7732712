internal import CUV

/// A failure of the loop: a libuv error code and the operation that failed.
///
/// Codes are libuv's (negative), so the type is open: compare with the constants here or with
/// ``name``.
///
/// - Note: Source: libuv 1.44, error constants.
public struct UVError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The libuv code; always negative.
    public let rawCode: Int32
    /// The operation that failed, for example `uv_loop_init`.
    public let operation: String

    /// The caller canceled the wait.
    public static func canceled(_ operation: String) -> UVError {
        UVError(rawCode: UV_ECANCELED.rawValue, operation: operation)
    }

    /// The loop is shutting down or has shut down.
    public static func shutdown(_ operation: String) -> UVError {
        UVError(rawCode: UV_ESHUTDOWN.rawValue, operation: operation)
    }

    /// libuv's name of the code, for example `EMFILE`.
    public var name: String {
        var buffer = [CChar](repeating: 0, count: 64)
        uv_err_name_r(rawCode, &buffer, buffer.count)
        return Self.text(buffer)
    }

    /// Whether the caller canceled the wait.
    public var isCancellation: Bool { rawCode == UV_ECANCELED.rawValue }

    /// Whether the loop has ended.
    public var isShutdown: Bool { rawCode == UV_ESHUTDOWN.rawValue }

    /// Whether the same call may succeed later, because an exhausted resource may become available.
    public var isTransient: Bool {
        [UV_EMFILE, UV_ENFILE, UV_ENOMEM, UV_ENOBUFS, UV_EAGAIN]
            .contains { $0.rawValue == rawCode }
    }

    /// A short code for metrics and messages.
    public var code: String {
        if isCancellation { return "loop.canceled" }
        if isShutdown { return "loop.shutdown" }
        return isTransient ? "loop.exhausted" : "loop.failed"
    }

    /// The operation, and libuv's description of the error.
    public var description: String {
        var buffer = [CChar](repeating: 0, count: 128)
        uv_strerror_r(rawCode, &buffer, buffer.count)
        return "\(operation): \(Self.text(buffer)) [\(name)]"
    }

    /// Throws when libuv returned a negative code.
    static func check(_ code: Int32, _ operation: String) throws(UVError) {
        if code < 0 { throw UVError(rawCode: code, operation: operation) }
    }

    private static func text(_ buffer: [CChar]) -> String {
        String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
