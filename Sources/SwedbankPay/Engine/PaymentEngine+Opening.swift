public import EventLog
public import Workflow

/// The result of opening a session by its address.
public struct SessionOpening: Hashable, Sendable {
    /// The session with the address.
    public var session: SessionID
    /// Whether the store already had a session with this address; then it is that one, and it is
    /// read again.
    public var wasKnown: Bool
}

extension PaymentEngine {
    /// Opens a payment session by its address; a known address returns the existing session.
    ///
    /// - Returns: The session's identifier. `openOrRefetch` also returns whether the address was
    ///   known.
    /// - Throws: ``EngineError``; nothing was recorded then, unless the store's error says
    ///   otherwise.
    public func open(
        _ address: String,
        reference: String? = nil,
        metadata: [String: String] = [:],
        preferences: [PreferenceRequest] = [],
        expecting expected: Money? = nil,
        callbackScheme: String? = nil,
        allowsInsecureLoopback: Bool = false
    ) async throws(EngineError) -> SessionID {
        let opening = try await openOrRefetch(
            address,
            reference: reference,
            metadata: metadata,
            preferences: preferences,
            expecting: expected,
            callbackScheme: callbackScheme,
            allowsInsecureLoopback: allowsInsecureLoopback
        )
        return opening.session
    }

    /// Opens a payment session by its address, or reads again the one that the store already has.
    ///
    /// If several engines open the same address at the same time, one creates the session and the
    /// others get that one: the store decides this together with the first event.
    ///
    /// - Parameters:
    ///   - address: The `view-paymentsession` link of a payment order: a secret.
    ///   - reference: The merchant's own reference; a known session keeps its own.
    ///   - metadata: The host application's own notes, which must not contain secrets; a known
    ///     session keeps its own.
    ///   - preferences: What to pay with as soon as the methods are known; a known session keeps
    ///     its own.
    ///   - expected: The amount to be paid, for reports, until the PSP names it; a known session
    ///     keeps its own.
    ///   - callbackScheme: A custom scheme that a return address may have; a known session keeps
    ///     its own.
    ///   - allowsInsecureLoopback: Whether `http` to this machine is accepted, for sandboxes.
    ///   - who: Who makes the request, recorded when the session is known.
    ///   - checkout: The checkout whose order it is.
    ///   - purpose: The purpose of the order, if it is known.
    /// - Returns: The session, once its first event, or the request to read it again, is durable;
    ///   reading continues in the background. A known session that has ended is not read again.
    /// - Throws: ``EngineError``; nothing was recorded then, unless the store's error says
    ///   otherwise.
    public func openOrRefetch(
        _ address: String,
        reference: String? = nil,
        metadata: [String: String] = [:],
        preferences: [PreferenceRequest] = [],
        expecting expected: Money? = nil,
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
                        purpose: purpose,
                        expecting: expected
                    )
                )
            )
        }
        if opening.wasKnown {
            _ = try await drive(opening.session, cause: "command.open") { _, _, state in
                state.outcome == nil ? .command(.refetch(by: who)) : .resumed
            }
        }
        return SessionOpening(session: opening.session, wasKnown: opening.wasKnown)
    }
}
