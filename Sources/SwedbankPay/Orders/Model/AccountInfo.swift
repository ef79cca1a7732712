/// What a merchant knows about the account of a payer, for the issuer's judgement of the risk.
///
/// - Note: Source: payment order model, payer.accountInfo.
public struct AccountInfo: Hashable, Sendable {
    /// How long ago something was.
    public enum Age: String, Hashable, Sendable, CaseIterable {
        /// Never: no account, or no change.
        case never = "01"
        /// During this purchase.
        case duringPurchase = "02"
        /// Less than 30 days ago.
        case underThirtyDays = "03"
        /// 30 to 60 days ago.
        case thirtyToSixtyDays = "04"
        /// More than 60 days ago.
        case overSixtyDays = "05"
    }

    /// How long ago something was that has happened for sure.
    public enum Recency: String, Hashable, Sendable, CaseIterable {
        /// During this purchase.
        case duringPurchase = "01"
        /// Less than 30 days ago.
        case underThirtyDays = "02"
        /// 30 to 60 days ago.
        case thirtyToSixtyDays = "03"
        /// More than 60 days ago.
        case overSixtyDays = "04"
    }

    /// Whether the account's name is the name that goods are shipped to.
    public enum NameMatch: String, Hashable, Sendable, CaseIterable {
        /// The same.
        case same = "01"
        /// Another one.
        case different = "02"
    }

    /// Whether somebody acted oddly with the account.
    public enum Suspicion: String, Hashable, Sendable, CaseIterable {
        /// Nothing was seen.
        case nothing = "01"
        /// Something was seen.
        case observed = "02"
    }

    /// When the account was made.
    public var accountAge: Age?
    /// When the account was last changed.
    public var accountChange: Recency?
    /// When the account's password was last changed.
    public var passwordChange: Age?
    /// When the shipping address was first used.
    public var shippingAddressUsage: Recency?
    /// Whether the names match.
    public var shippingName: NameMatch?
    /// Whether somebody acted oddly.
    public var suspiciousActivity: Suspicion?
    /// Members that this model does not know, kept and sent on.
    public var others: [String: FreeFormValue]

    /// An account of which this is known.
    public init(
        accountAge: Age? = nil,
        accountChange: Recency? = nil,
        passwordChange: Age? = nil,
        shippingAddressUsage: Recency? = nil,
        shippingName: NameMatch? = nil,
        suspiciousActivity: Suspicion? = nil,
        others: [String: FreeFormValue] = [:]
    ) {
        self.accountAge = accountAge
        self.accountChange = accountChange
        self.passwordChange = passwordChange
        self.shippingAddressUsage = shippingAddressUsage
        self.shippingName = shippingName
        self.suspiciousActivity = suspiciousActivity
        self.others = others
    }
}
