internal import EventLog
internal import Glibc

/// The socket on which the service manager that started this process waits for its messages
/// (`sd_notify(3)`).
struct NotifySocket: Sendable {
    private let path: String
    /// How often it expects to hear that the process is alive; `nil` when it does not.
    let watchdogInterval: Duration?

    /// The socket that the environment names; `nil` when there is none.
    init?(_ environment: [String: String]) {
        guard let path = environment["NOTIFY_SOCKET"].nonEmpty, "/@".contains(path.prefix(1)),
            path.utf8.count < 108
        else { return nil }
        self.path = path
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) }
        watchdogInterval = microseconds.map { .microseconds($0) }
    }

    /// Sends a message, such as `READY=1`; a manager that does not listen is no failure.
    func tell(_ message: String) {
        let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // A leading @ stands for a name without a file.
        let bytes = path.utf8.enumerated().map { $0 == 0 && $1 == UInt8(ascii: "@") ? 0 : $1 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = MemoryLayout<sockaddr_un>.offset(of: \.sun_path).map { $0 + bytes.count }
        let text = Array(message.utf8)
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                _ = sendto(
                    descriptor,
                    text,
                    text.count,
                    CInt(MSG_NOSIGNAL),
                    pointer,
                    socklen_t(length ?? 0)
                )
            }
        }
    }
}
