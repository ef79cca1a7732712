import Hummingbird
import NIOCore

/// A request's context that includes its connection, so that a fault can reset it.
struct SandboxRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let connection: Connection

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        connection = Connection(channel: source.channel)
    }
}

/// The connection on which a request arrived.
struct Connection: Sendable {
    private let channel: any Channel

    init(channel: any Channel) {
        self.channel = channel
    }

    /// The kernel's `struct linger`.
    private struct Linger: Sendable {
        let isOn: CInt
        let seconds: CInt
    }

    /// Resets the connection so that the peer sees a TCP reset: with a linger time of 0, the kernel
    /// sends RST instead of FIN.
    func reset() async {
        if let provider = channel as? any SocketOptionProvider {
            try? await provider.unsafeSetSocketOption(
                level: .socket,
                name: .so_linger,
                value: Linger(isOn: 1, seconds: 0)
            ).get()
        }
        try? await channel.close(mode: .all).get()
    }
}
