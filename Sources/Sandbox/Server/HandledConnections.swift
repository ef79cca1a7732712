package import HummingbirdCore
import Logging
import NIOCore
import Synchronization

/// Sees to it that every connection that was made is handled or closed, also while a server is being shut down.
///
/// A connection that came in just before the listener was closed is dropped by the HTTP server before anybody handles it, and
/// dropping what writes to it unused ends the process (SwiftNIO, `NIOAsyncWriter`). So each is held from the moment that it is
/// made until it is handled; what nobody handled is closed properly.
package final class HandledConnections: Sendable {
    /// A connection's parts of requests and responses.
    fileprivate typealias Made = HTTP1Channel.Value

    private struct State {
        var waiting: [ObjectIdentifier: Made] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    package init() {}

    /// An HTTP server whose connections are held until they are handled.
    package func http1(
        _ configuration: HTTP1Channel.Configuration = .init()
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            HeldChannel(
                channel: HTTP1Channel(responder: responder, configuration: configuration),
                connections: self
            )
        }
    }

    /// Closes what nobody handled; to be called when the server has ended.
    package func close() async {
        let left = state.withLock { state in
            defer { state = State(waiting: [:], isClosed: true) }
            return state.waiting.values.map { $0 }
        }
        for made in left { await Self.close(made) }
    }

    fileprivate func hold(_ made: Made) {
        let isLate = state.withLock { state in
            if !state.isClosed { state.waiting[ObjectIdentifier(made.channel)] = made }
            return state.isClosed
        }
        if isLate { Task { await Self.close(made) } }
    }

    fileprivate func letGo(_ made: Made) {
        state.withLock { $0.waiting[ObjectIdentifier(made.channel)] = nil }
    }

    private static func close(_ made: Made) async {
        try? await made.executeThenClose { _, _ in }
    }
}

/// The HTTP server's own channel, whose connections are held until they are handled.
private struct HeldChannel: HTTPChannelHandler {
    let channel: HTTP1Channel
    let connections: HandledConnections

    var responder: Responder { channel.responder }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        self.channel.setup(channel: channel, logger: logger).map { made in
            connections.hold(made)
            return made
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        connections.letGo(value)
        await channel.handle(value: value, logger: logger)
    }
}
