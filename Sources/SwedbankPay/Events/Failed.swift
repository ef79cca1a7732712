package import EventLog

extension EventType {
    /// The session ended without a regular result.
    public static let failed = EventType("failed") { .failed($0) }
}

/// The session ended without a regular result.
public struct Failed: Hashable, Sendable {
    /// The party that ended it.
    public var by: Party
    /// The reason.
    public var reason: Reason
    /// The host name of an unexpected redirect by the PSP, if that was the reason.
    public var host: String?
    /// What was known about the money when an operator ended the session.
    ///
    /// It is `nil` when no operator ended the session. An operator's ending does not resolve the
    /// money: what was unknown before remains unknown.
    public var money: MoneyState.Standing?

    /// Whether an operator ended the session, rather than the PSP or the rules.
    public var isByHand: Bool { by == .person }

    /// A party that can end a session without a regular result.
    public enum Party: String, CaseIterable, Sendable, NameForm {
        /// The rules, because the session cannot be continued.
        case engine
        /// The PSP, through its order or its page.
        case psp
        /// An operator, who does not speak for the PSP.
        case person
    }

    /// Why a session fails.
    public enum Reason: String, CaseIterable, Sendable, NameForm {
        /// The order lacks addresses that the payment needs.
        case configuration
        /// The session cannot be continued.
        case endReached
        /// The PSP's page failed.
        case pageFailed
        /// The payment order's status.
        case orderFailed
        /// The PSP or the merchant backend refused to create the order, or what precedes it.
        case orderRefused

        /// The party that ends a session for that reason, unless an operator does.
        fileprivate var party: Party {
            switch self {
            case .configuration, .endReached: .engine
            case .pageFailed, .orderFailed, .orderRefused: .psp
            }
        }
    }

    /// Creates the data of a `failed` event.
    ///
    /// - Parameters:
    ///   - reason: The reason.
    ///   - by: Who ended the session; when it is `nil`, an operator if `money` is given, otherwise
    ///     the party that the reason implies.
    ///   - host: The host name of an unexpected redirect.
    ///   - money: What was known about the money when an operator ended the session.
    public init(
        reason: Reason,
        by: Party? = nil,
        host: String? = nil,
        money: MoneyState.Standing? = nil
    ) {
        self.by = by ?? (money == nil ? reason.party : .person)
        self.reason = reason
        self.host = host
        self.money = money
    }
}

extension Failed: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        by = try members.require("by", value?.by)
        host = try members.find("host", value?.host)
        money = try members.find("money", value?.money)
        reason = try members.require("reason", value?.reason)
    }

    package static func sample(by sampler: inout FormSampler) throws(EventDecodingError) -> Self {
        var failed: Self = try sampler.object()
        failed.money = failed.isByHand ? sampler.one([MoneyState.Standing.none, .unknown]) : nil
        return failed
    }
}
