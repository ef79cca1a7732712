public import EventLog

/// What is recorded of a request that changes something, before it leaves: the ready-made ``RequestStart``.
public struct StartedRequest<Kind: Hashable & Sendable & RawRepresentable<String>>: RequestStart {
    /// The request.
    public var effect: EffectID
    /// What it does.
    public var kind: Kind

    /// A request of that kind.
    public init(_ effect: EffectID, _ kind: Kind) {
        self.effect = effect
        self.kind = kind
    }

    /// The data of an event that records it.
    public var data: EventData {
        EventData(["effect": .string(effect.rawValue), "kind": .string(kind.rawValue)])
    }

    /// The request that an event records.
    public init(from data: EventData) throws(EventDecodingError) {
        self.init(EffectID(rawValue: try data.text("effect")), try data.kind())
    }
}

/// What is recorded of a request that failed, or of whose outcome nobody knows: the ready-made ``RequestFailure``.
public struct FailedRequest<Kind: Hashable & Sendable & RawRepresentable<String>>: RequestFailure {
    /// The request.
    public var effect: EffectID
    /// What it was to do.
    public var kind: Kind
    /// When to go on; nil when the engine does not try again by itself.
    public var retryAt: Instant?
    /// Whether it certainly had no effect, and nobody spoke against it: it may be sent again without reading.
    public var mayBeRepeatedAsItIs: Bool
    /// Whether its process was gone before an answer came.
    public var isInterruption: Bool

    /// A request that failed.
    public init(
        _ effect: EffectID,
        _ kind: Kind,
        retryAt: Instant?,
        mayBeRepeatedAsItIs: Bool = false,
        isInterruption: Bool = false
    ) {
        self.effect = effect
        self.kind = kind
        self.retryAt = retryAt
        self.mayBeRepeatedAsItIs = mayBeRepeatedAsItIs
        self.isInterruption = isInterruption
    }

    /// The data of an event that records it.
    public var data: EventData {
        var data = StartedRequest(effect, kind).data
        data["interrupted"] = .bool(isInterruption)
        data["repeatable"] = .bool(mayBeRepeatedAsItIs)
        data["retryAt"] = retryAt.map { .string($0.description) }
        return data
    }

    /// The failure that an event records.
    public init(from data: EventData) throws(EventDecodingError) {
        self.init(
            EffectID(rawValue: try data.text("effect")),
            try data.kind(),
            retryAt: try data.time("retryAt"),
            mayBeRepeatedAsItIs: try data.flag("repeatable"),
            isInterruption: try data.flag("interrupted")
        )
    }
}

extension RequestLedger {
    /// What is recorded of a request that failed: the one in flight, or else a reading.
    ///
    /// - Parameters:
    ///   - effect: The request.
    ///   - outcome: What came of it; when that is unknown, the other side is read before anything is sent again.
    ///   - reading: What a reading is called.
    ///   - retryAt: When to go on.
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
            mayBeRepeatedAsItIs: !outcome.isUnknown
        )
    }

    /// What is recorded of the request in flight when its process is gone; nil when that is another one.
    ///
    /// - Parameters:
    ///   - effect: The request.
    ///   - retryAt: When to go on by the schedule of retries.
    ///   - horizon: How long after it left the request may still take effect.
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
