import Hummingbird
import NIOCore

/// A request's context that also knows its connection, so that a fault can cut it.
struct SandboxRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let connection: Connection

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        connection = Connection(channel: source.channel)
    }
}

/// The connection that a request came on.
struct Connection: Sendable {
    private let channel: any Channel

    init(channel: any Channel) {
        self.channel = channel
    }

    /// What the kernel knows as `struct linger`.
    private struct Linger: Sendable {
        let isOn: CInt
        let seconds: CInt
    }

    /// Cuts the connection so that the peer sees a TCP reset: with a linger time of 0 the kernel sends
    /// RST instead of FIN.
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
