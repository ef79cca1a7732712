package import EventLog

extension EventType {
    /// The session is over without a clean end.
    public static let failed = EventType("failed") { .failed($0) }
}

/// The session is over without a clean end.
public struct Failed: Hashable, Sendable {
    /// Why.
    public var reason: Reason
    /// The host that the PSP redirects to, when that is what nobody expected.
    public var host: String?
    /// Where a person ended the session: what was known of the money then.
    ///
    /// Nothing where the rules ended it; and in logs of builds that did not write it down. A person's end says nothing about
    /// the money: what was unknown before it stays so.
    public var money: Money.Standing?

    /// Whether a person ended the session, and not the PSP's word or the rules.
    public var isByHand: Bool { money != nil }

    /// What makes a session fail.
    public enum Reason: String, CaseIterable, Sendable, NameForm {
        /// The order lacks addresses that paying needs.
        case configuration
        /// The session is in a state that nothing can continue.
        case endReached
        /// The PSP's page gave up.
        case pageFailed
        /// The payment order's status says so.
        case orderFailed
    }

    /// The content of a `failed` event.
    public init(reason: Reason, host: String? = nil, money: Money.Standing? = nil) {
        self.reason = reason
        self.host = host
        self.money = money
    }
}

extension Failed: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Self?) throws(EventDecodingError) {
        host = try members.find("host", value?.host, mask: .address)
        money = try members.find("money", value?.money)
        reason = try members.require("reason", value?.reason)
    }

    package static func sample(by sampler: inout FormSampler) throws(EventDecodingError) -> Self {
        var failed: Self = try sampler.object()
        if failed.money != nil { failed.money = sampler.one([Money.Standing.none, .unknown]) }
        return failed
    }
}
