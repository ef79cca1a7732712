/// The merchant's information about the payer's account, for the issuer's risk assessment.
///
/// - Note: Source: payment order model, payer.accountInfo.
public struct AccountInfo: Hashable, Sendable {
    /// The time since something happened, if it did.
    public enum Age: String, Hashable, Sendable, CaseIterable {
        /// Never: there is no account, or it was not changed.
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

    /// The time since something happened that certainly did.
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

    /// Whether the account holder's name equals the name that goods are shipped to.
    public enum NameMatch: String, Hashable, Sendable, CaseIterable {
        /// The same.
        case same = "01"
        /// A different name.
        case different = "02"
    }

    /// Whether suspicious activity was seen on the account.
    public enum Suspicion: String, Hashable, Sendable, CaseIterable {
        /// No suspicious activity was seen.
        case nothing = "01"
        /// Suspicious activity was seen.
        case observed = "02"
    }

    /// When the account was created.
    public var accountAge: Age?
    /// When the account was last changed.
    public var accountChange: Recency?
    /// When the account's password was last changed.
    public var passwordChange: Age?
    /// When the shipping address was first used.
    public var shippingAddressUsage: Recency?
    /// Whether the names match.
    public var shippingName: NameMatch?
    /// Whether suspicious activity was seen.
    public var suspiciousActivity: Suspicion?
    /// Members that this model does not know; they are kept and sent.
    public var others: [String: FreeFormValue]

    /// Creates account information with these members.
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
