/// The check-ins of payers, and their profiles.
///
/// - Note: Source: payment order API of the older generation, consumers: a `consumerProfileRef` is
///   valid for 24 hours and for one order.
struct ConsumerBook: Sendable {
    /// The time for which a check-in is valid.
    static let lifetime = Duration.seconds(24 * 3600)

    /// A merchant's request for a check-in.
    struct Session: Sendable {
        let language: String
        /// The countries to which the merchant ships, ISO 3166; empty means all.
        let countries: [String]
    }

    /// A payer who has checked in.
    struct Profile: Sendable {
        let reference: String
        let email: String
        let msisdn: String
        let countryCode: String
        let address: JSON
        let endsAt: ContinuousClock.Instant
        var isUsed = false
    }

    private var sessions: [String: Session] = [:]
    private var profiles: [String: Profile] = [:]
    private let limit: Int

    init(limit: Int) {
        self.limit = max(limit, 1)
    }

    /// Starts a check-in.
    mutating func open(_ session: Session) throws(ProblemDetail) -> String {
        guard sessions.count < limit else { throw .tooManyOrders }
        let token = OpaqueToken.make()
        sessions[token] = session
        return token
    }

    /// The check-in of a token.
    func session(_ token: String) -> Session? { sessions[token] }

    /// A payer's profile, used or not.
    func profile(_ reference: String) -> Profile? { profiles[reference] }

    /// Checks a payer in.
    mutating func identify(
        _ form: [String: String],
        in session: Session,
        at now: ContinuousClock.Instant
    )
        throws(ProblemDetail) -> Profile
    {
        let person = Person.usual(for: session)
        let email = form["email"] ?? person.email
        let msisdn = form["msisdn"] ?? person.msisdn
        let country = (form["countryCode"] ?? person.countryCode).uppercased()
        var problems: [FieldProblem] = []
        let parts = email.pieces(between: "@", omittingEmptySubsequences: false)
        if parts.count != 2 || parts.contains(where: \.isEmpty) {
            problems.append(FieldProblem(name: "email", description: "is no email address"))
        }
        if !SwishNumber.isValid(msisdn) {
            problems.append(FieldProblem(name: "msisdn", description: "must be + and digits"))
        }
        if !session.countries.isEmpty, !session.countries.contains(country) {
            problems.append(
                FieldProblem(name: "countryCode", description: "is none that the shop ships to")
            )
        }
        guard problems.isEmpty else { throw .inputError(problems) }
        guard profiles.count < limit else { throw .tooManyOrders }
        let profile = Profile(
            reference: OpaqueToken.make(),
            email: email,
            msisdn: msisdn,
            countryCode: country,
            address: person.address,
            endsAt: now + Self.lifetime
        )
        profiles[profile.reference] = profile
        return profile
    }

    /// Why a reference cannot be used in an order; `nil` when it can.
    func obstacle(_ reference: String, at now: ContinuousClock.Instant) -> String? {
        guard let profile = profiles[reference] else { return "is not known" }
        if profile.isUsed { return "was used before" }
        return profile.endsAt <= now ? "has expired" : nil
    }

    /// Marks a reference as used in an order.
    mutating func use(_ reference: String) -> Profile? {
        profiles[reference]?.isUsed = true
        return profiles[reference]
    }
}

/// The test persons of the PSP's test environment.
///
/// - Note: Source: test data, checkout persons and invoice addresses.
struct Person: Sendable {
    let email: String
    let msisdn: String
    let countryCode: String
    let address: JSON

    /// The default person for a check-in.
    static func usual(for session: ConsumerBook.Session) -> Person {
        let isNorwegian =
            session.countries.isEmpty
            ? session.language == "nb-NO" : !session.countries.contains("SE")
        return isNorwegian ? olivia : leia
    }

    private static let leia = Person(
        email: "leia.ahlstrom@swedbankpay.com",
        msisdn: "+46739000001",
        countryCode: "SE",
        address: [
            "addressee": "Leia Ahlström", "streetAddress": "Hökvägen 5", "zipCode": "17674",
            "city": "Järfälla", "countryCode": "SE",
        ]
    )

    private static let olivia = Person(
        email: "olivia.nyhuus@swedbankpay.com",
        msisdn: "+4798765432",
        countryCode: "NO",
        address: [
            "addressee": "Olivia Nyhuus", "streetAddress": "Saltnestoppen 43",
            "zipCode": "1642", "city": "Saltnes", "countryCode": "NO",
        ]
    )
}
