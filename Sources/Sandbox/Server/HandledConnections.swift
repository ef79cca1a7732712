package import HummingbirdCore
import Logging
import NIOConcurrencyHelpers
package import NIOCore

/// Ensures that every connection is handled or closed, even while a server is shutting down.
///
/// A connection that arrives just before the listener closes is dropped by the HTTP server without
/// being handled, and dropping its unused writer ends the process (SwiftNIO, `NIOAsyncWriter`). So
/// each connection is held from its creation until it is handled; connections that were never
/// handled are closed properly.
package final class HandledConnections: Sendable {
    /// Responds to a request on a connection.
    package typealias Responder =
        @concurrent @Sendable (Request, consuming ResponseWriter, any Channel) async throws -> Void

    private struct State {
        /// How to close each connection that is not handled yet.
        var waiting: [ObjectIdentifier: @Sendable () async -> Void] = [:]
        var isClosed = false
    }

    private let state = NIOLockedValueBox(State())

    package init() {}

    /// An HTTP server whose connections are held until they are handled.
    package func http1(
        _ configuration: HTTP1Channel.Configuration = .init()
    ) -> HTTPServerBuilder {
        server { responder in
            HTTP1Channel(responder: responder, configuration: configuration)
        } closing: { _, made in
            try? await made.executeThenClose { _, _ in }
        }
    }

    /// A server with other channels, whose connections are held until they are handled.
    ///
    /// - Parameters:
    ///   - make: Makes the channel that handles connections.
    ///   - closing: Closes a connection that was not handled, and releases what was made for it.
    /// - Returns: The server.
    package func server<Handler: ServerChildChannel>(
        _ make: @escaping @Sendable (@escaping Responder) throws -> Handler,
        closing: @escaping @Sendable (Handler, Handler.Value) async -> Void
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            HeldChannel(channel: try make(responder), connections: self, closing: closing)
        }
    }

    /// Closes the connections that were not handled; call this when the server has ended.
    package func close() async {
        let left = state.withLockedValue { state in
            defer { state = State(waiting: [:], isClosed: true) }
            return state.waiting.values.map { $0 }
        }
        for close in left { await close() }
    }

    fileprivate func hold(_ channel: any Channel, closing: @escaping @Sendable () async -> Void) {
        let isLate = state.withLockedValue { state in
            if !state.isClosed { state.waiting[ObjectIdentifier(channel)] = closing }
            return state.isClosed
        }
        if isLate { Task { await closing() } }
    }

    fileprivate func letGo(_ channel: any Channel) {
        state.withLockedValue { $0.waiting[ObjectIdentifier(channel)] = nil }
    }
}

/// A channel of an HTTP server, whose connections are held until they are handled.
private struct HeldChannel<Handler: ServerChildChannel>: ServerChildChannel {
    let channel: Handler
    let connections: HandledConnections
    let closing: @Sendable (Handler, Handler.Value) async -> Void

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Handler.Value> {
        self.channel.setup(channel: channel, logger: logger).map { made in
            let (handler, closing) = (self.channel, closing)
            connections.hold(made.channel) { await closing(handler, made) }
            return made
        }
    }

    func handle(value: Handler.Value, logger: Logger) async {
        connections.letGo(value.channel)
        await channel.handle(value: value, logger: logger)
    }
}
