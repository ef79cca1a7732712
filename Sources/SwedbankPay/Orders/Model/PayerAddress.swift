/// A shipping or billing address of a payer: personal data.
///
/// - Note: Source: payment order model, payer.
public struct PayerAddress: Hashable, Sendable {
    /// The first name of the addressee.
    public var firstName: String?
    /// The last name of the addressee.
    public var lastName: String?
    /// An e-mail address.
    public var email: String?
    /// A mobile number: `+`, country code and digits.
    public var msisdn: String?
    /// The street and number.
    public var streetAddress: String?
    /// The care-of name.
    public var coAddress: String?
    /// The city.
    public var city: String?
    /// The postal code.
    public var zipCode: String?
    /// The country, as an ISO 3166-1 alpha-2 code.
    public var countryCode: String?
    /// Members that this model does not know; they are kept and sent.
    public var others: [String: FreeFormValue]

    /// Creates an address with these members.
    public init(
        firstName: String? = nil,
        lastName: String? = nil,
        email: String? = nil,
        msisdn: String? = nil,
        streetAddress: String? = nil,
        coAddress: String? = nil,
        city: String? = nil,
        zipCode: String? = nil,
        countryCode: String? = nil,
        others: [String: FreeFormValue] = [:]
    ) {
        self.firstName = firstName
        self.lastName = lastName
        self.email = email
        self.msisdn = msisdn
        self.streetAddress = streetAddress
        self.coAddress = coAddress
        self.city = city
        self.zipCode = zipCode
        self.countryCode = countryCode
        self.others = others
    }
}

extension PayerAddress: CustomStringConvertible, CustomReflectable {
    /// A constant text without the address.
    public var description: String { "an address of a payer" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
