public import EventLog
public import Workflow

/// What came of taking in an address.
public struct SessionOpening: Hashable, Sendable {
    /// The session of the address.
    public var session: SessionID
    /// Whether the store had a session of this address before: then it is that one, and it is read anew.
    public var wasKnown: Bool
}

extension PaymentEngine {
    /// Takes in a payment session by its address; a known address gives the same session, not a twin.
    ///
    /// - Returns: The session's identity; see ``openOrRefetch(_:reference:metadata:preferences:callbackScheme:allowsInsecureLoopback:by:)``,
    ///   which also tells whether the address was known.
    /// - Throws: ``EngineError``; nothing was recorded then, unless the store's error says otherwise.
    public func open(
        _ address: String,
        reference: String? = nil,
        metadata: [String: String] = [:],
        preferences: [PreferenceRequest] = [],
        callbackScheme: String? = nil,
        allowsInsecureLoopback: Bool = false
    ) async throws(EngineError) -> SessionID {
        let opening = try await openOrRefetch(
            address,
            reference: reference,
            metadata: metadata,
            preferences: preferences,
            callbackScheme: callbackScheme,
            allowsInsecureLoopback: allowsInsecureLoopback
        )
        return opening.session
    }

    /// Takes in a payment session by its address, or reads the one anew that the store has of it.
    ///
    /// Of several engines that take in the same address at the same time one makes the session, and the others get
    /// it: the store decides that together with the first event.
    ///
    /// - Parameters:
    ///   - address: The `view-paymentsession` link of a payment order: a secret.
    ///   - reference: The merchant's own reference; a known session keeps its own.
    ///   - metadata: The host application's own notes; not for secrets. A known session keeps its own.
    ///   - preferences: What to pay with as soon as the methods are known; a known session keeps its own.
    ///   - callbackScheme: A custom scheme that a return may have; a known session keeps its own.
    ///   - allowsInsecureLoopback: Whether `http` to this machine is accepted, for sandboxes.
    ///   - who: Who asks, for the record of a known session.
    ///   - checkout: The checkout whose order it is.
    /// - Returns: The session, when its first event is durable, or the wish to read it anew; fetching goes on by
    ///   itself. A known session that is over is not read again.
    /// - Throws: ``EngineError``; nothing was recorded then, unless the store's error says otherwise.
    public func openOrRefetch(
        _ address: String,
        reference: String? = nil,
        metadata: [String: String] = [:],
        preferences: [PreferenceRequest] = [],
        callbackScheme: String? = nil,
        allowsInsecureLoopback: Bool = false,
        by who: String = "host",
        checkout: SessionID? = nil,
        purpose: PaymentOrderPurpose? = nil
    ) async throws(EngineError) -> SessionOpening {
        let parsed: SessionAddress
        do {
            parsed = try SessionAddress(address, allowsInsecureLoopback: allowsInsecureLoopback)
        } catch {
            throw .badAddress(reason: error.description)
        }
        let opening = try await open(address: parsed.text, cause: "command.open") {
            [client = rules.client] secrets, keys in
            .command(
                .open(
                    Opened(
                        sessionURL: secrets.seal(parsed.text, with: keys),
                        host: parsed.host,
                        reference: reference.map {
                            OutsideText(recordingReference: $0, with: keys, in: &secrets)
                        },
                        metadata: OutsideText.recorded(metadata, with: keys, in: &secrets),
                        userAgent: client.userAgent,
                        preferences: preferences.map { $0.sealed(in: &secrets, with: keys) },
                        callbackScheme: callbackScheme,
                        checkout: checkout,
                        purpose: purpose
                    )
                )
            )
        }
        if opening.wasKnown {
            _ = try await drive(opening.session, cause: "command.open") { _, _, _ in
                .command(.refetch(by: who))
            }
        }
        return SessionOpening(session: opening.session, wasKnown: opening.wasKnown)
    }
}
