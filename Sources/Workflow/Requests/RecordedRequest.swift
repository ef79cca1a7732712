public import EventLog

/// The ready-made ``RequestStart``: what is recorded before a request that changes something is
/// sent.
public struct StartedRequest<Kind: Hashable & Sendable & RawRepresentable<String>>: RequestStart {
    /// The request.
    public var effect: EffectID
    /// The kind of request.
    public var kind: Kind

    /// Creates the record of a request of that kind.
    public init(_ effect: EffectID, _ kind: Kind) {
        self.effect = effect
        self.kind = kind
    }

    /// The data of an event that records the request.
    public var data: EventData {
        EventData(["effect": .string(effect.rawValue), "kind": .string(kind.rawValue)])
    }

    /// Reads the request that an event records.
    public init(from data: EventData) throws(EventDecodingError) {
        self.init(EffectID(rawValue: try data.text("effect")), try data.kind())
    }
}

/// The ready-made ``RequestFailure``: what is recorded when a request failed or its outcome is
/// unknown.
public struct FailedRequest<Kind: Hashable & Sendable & RawRepresentable<String>>: RequestFailure {
    /// The request.
    public var effect: EffectID
    /// The kind of request.
    public var kind: Kind
    /// When to continue; `nil` when the engine does not retry by itself.
    public var retryAt: Instant?
    /// Whether the request certainly had no effect and was not refused, so that it may be sent
    /// again without reconciling.
    public var isSafeToResend: Bool
    /// Whether its process ended before a response arrived.
    public var isInterruption: Bool

    /// Creates the record of a failed request.
    public init(
        _ effect: EffectID,
        _ kind: Kind,
        retryAt: Instant?,
        isSafeToResend: Bool = false,
        isInterruption: Bool = false
    ) {
        self.effect = effect
        self.kind = kind
        self.retryAt = retryAt
        self.isSafeToResend = isSafeToResend
        self.isInterruption = isInterruption
    }

    /// The data of an event that records the failure.
    public var data: EventData {
        var data = StartedRequest(effect, kind).data
        data["interrupted"] = .bool(isInterruption)
        data["repeatable"] = .bool(isSafeToResend)
        data["retryAt"] = retryAt.map { .string($0.description) }
        return data
    }

    /// Reads the failure that an event records.
    public init(from data: EventData) throws(EventDecodingError) {
        self.init(
            EffectID(rawValue: try data.text("effect")),
            try data.kind(),
            retryAt: try data.time("retryAt"),
            isSafeToResend: try data.flag("repeatable"),
            isInterruption: try data.flag("interrupted")
        )
    }
}

extension RequestLedger {
    /// The record of a failed request: the one in flight, otherwise a read.
    ///
    /// - Parameters:
    ///   - effect: The request.
    ///   - outcome: Its outcome; when it is unknown, the other side is read before anything is sent
    ///     again.
    ///   - reading: The kind under which a read is recorded.
    ///   - retryAt: When to continue.
    /// - Returns: The record.
    public func failure<Name>(
        of effect: EffectID,
        _ outcome: some RequestOutcome,
        _ reading: Name,
        _ retryAt: Instant
    ) -> Failure where Start == StartedRequest<Name>, Failure == FailedRequest<Name> {
        let running = inFlight.flatMap { $0.start.effect == effect ? $0.start.kind : nil }
        return FailedRequest(
            effect,
            running ?? reading,
            retryAt: retryAt,
            isSafeToResend: !outcome.isUnknown
        )
    }

    /// The record of the request in flight when its process has ended; `nil` when another request
    /// is in flight.
    ///
    /// - Parameters:
    ///   - effect: The request.
    ///   - retryAt: When to continue according to the retry schedule.
    ///   - horizon: How long after it was sent the request may still take effect.
    /// - Returns: The record, or `nil`.
    public func interruption<Name>(
        of effect: EffectID,
        retryAt: Instant,
        within horizon: Duration
    ) -> Failure? where Start == StartedRequest<Name>, Failure == FailedRequest<Name> {
        guard let running = inFlight, running.start.effect == effect else { return nil }
        let time = max(retryAt, running.at + horizon)
        return FailedRequest(effect, running.start.kind, retryAt: time, isInterruption: true)
    }
}

extension EventData {
    fileprivate func kind<Kind: RawRepresentable<String>>() throws(EventDecodingError) -> Kind {
        guard let kind = Kind(rawValue: try text("kind")) else {
            throw .unknownValue("a request's kind")
        }
        return kind
    }
}
