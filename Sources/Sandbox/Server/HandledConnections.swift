package import HummingbirdCore
import Logging
import NIOConcurrencyHelpers
import NIOCore

/// Ensures that every connection is handled or closed, even while a server is shutting down.
///
/// A connection that arrives just before the listener closes is dropped by the HTTP server without
/// being handled, and dropping its unused writer ends the process (SwiftNIO, `NIOAsyncWriter`). So
/// each connection is held from its creation until it is handled; connections that were never
/// handled are closed properly.
package final class HandledConnections: Sendable {
    /// The request and response parts of a connection.
    fileprivate typealias Made = HTTP1Channel.Value

    private struct State {
        var waiting: [ObjectIdentifier: Made] = [:]
        var isClosed = false
    }

    private let state = NIOLockedValueBox(State())

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

    /// Closes the connections that were not handled; call this when the server has ended.
    package func close() async {
        let left = state.withLockedValue { state in
            defer { state = State(waiting: [:], isClosed: true) }
            return state.waiting.values.map { $0 }
        }
        for made in left { await Self.close(made) }
    }

    fileprivate func hold(_ made: Made) {
        let isLate = state.withLockedValue { state in
            if !state.isClosed { state.waiting[ObjectIdentifier(made.channel)] = made }
            return state.isClosed
        }
        if isLate { Task { await Self.close(made) } }
    }

    fileprivate func letGo(_ made: Made) {
        state.withLockedValue { $0.waiting[ObjectIdentifier(made.channel)] = nil }
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
