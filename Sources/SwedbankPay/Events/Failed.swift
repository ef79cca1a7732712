package import EventLog

extension EventType {
    /// The session is over without a clean end.
    public static let failed = EventType(
        "failed",
        version: 2,
        upcasters: [Failed.sayingWhoEndedIt]
    ) { .failed($0) }
}

/// The session is over without a clean end.
public struct Failed: Hashable, Sendable {
    /// Who ended it.
    public var by: Party
    /// Why.
    public var reason: Reason
    /// The host that the PSP redirects to, when that is what nobody expected.
    public var host: String?
    /// Where a person ended the session: what was known of the money then.
    ///
    /// Nil where no person ended it; and in logs of builds that did not write it down. A person's end says nothing about
    /// the money: what was unknown before it stays so.
    public var money: Money.Standing?

    /// Whether a person ended the session, and not the PSP's word or the rules.
    public var isByHand: Bool { by == .person }

    /// Who can end a session without a clean end.
    public enum Party: String, CaseIterable, Sendable, NameForm {
        /// The rules: nothing can continue it.
        case engine
        /// The PSP, by its order or its page.
        case psp
        /// A person, who does not speak for the PSP.
        case person
    }

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

        /// Who ends a session for that reason, unless a person does.
        fileprivate var party: Party {
            switch self {
            case .configuration, .endReached: .engine
            case .pageFailed, .orderFailed: .psp
            }
        }
    }

    /// The content of a `failed` event.
    ///
    /// - Parameter by: Who ended it; nil for a person where the money is told, else for whom the reason names.
    public init(
        reason: Reason,
        by: Party? = nil,
        host: String? = nil,
        money: Money.Standing? = nil
    ) {
        self.by = by ?? (money == nil ? reason.party : .person)
        self.reason = reason
        self.host = host
        self.money = money
    }
}

extension Failed: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Self?) throws(EventDecodingError) {
        by = try members.require("by", value?.by)
        host = try members.find("host", value?.host, mask: .address)
        money = try members.find("money", value?.money)
        reason = try members.require("reason", value?.reason)
    }

    package static func sample(by sampler: inout FormSampler) throws(EventDecodingError) -> Self {
        var failed: Self = try sampler.object()
        failed.money = failed.isByHand ? sampler.one([Money.Standing.none, .unknown]) : nil
        return failed
    }

    /// Version 1 did not say who ended the session: a person where the money is told; in logs of builds that did not write
    /// that down, where the command was a person's.
    fileprivate static let sayingWhoEndedIt = Upcaster(
        type: "failed",
        from: 1,
        masks: ["host": .address]
    ) { record throws(EventDecodingError) in
        guard case .string(let name)? = record.data["reason"], let reason = Reason(rawValue: name)
        else { throw .unknownValue("Reason") }
        let isCommanded = reason == .endReached && record.metadata.cause == "command.close"
        let isByHand = record.data["money"] != nil || isCommanded
        var data = record.data
        data["by"] = .string((isByHand ? Party.person : reason.party).rawValue)
        return data
    }
}
