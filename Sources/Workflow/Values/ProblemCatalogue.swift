/// The kinds of problems that the PSP documents, and what each means.
///
/// Source: problem catalogue, lookup rules.
public struct ProblemCatalogue: Sendable {
    /// What every documented type begins with; the rest is the slug.
    public static let typePrefix = "https://api.payex.com/psp/errordetail/"

    /// Which data this is: recorded with every event whose decision used it.
    public let version: String
    /// The kinds of problems, in the order of the data.
    public let rows: [Row]
    private let rowsByKey: [String: [Int]]

    /// One kind of problem.
    public struct Row: Hashable, Sendable {
        /// The type without its prefix, as documented.
        public var slug: String
        /// The documented status; nothing when there is none.
        public var status: Int?
        /// The part of the PSP that it comes from; not always a part of the slug.
        public var family: String
        /// What to do about it.
        public var advice: ProblemAdvice

        /// A row with these members.
        public init(slug: String, status: Int?, family: String, advice: ProblemAdvice) {
            self.slug = slug
            self.status = status
            self.family = family
            self.advice = advice
        }
    }

    /// A catalogue of these rows.
    public init(rows: [Row], version: String) {
        self.rows = rows
        self.version = version
        rowsByKey = Dictionary(grouping: rows.indices) { Self.key(of: rows[$0].slug) }
    }

    /// Finds what a problem means.
    ///
    /// Spellings vary, so letter case, underscores and the two spellings of "cancelled" make no difference. Of
    /// several rows the one with the same status counts. A slug that is not there falls back to its
    /// family, then to the class of its status.
    ///
    /// - Parameters:
    ///   - type: The problem's type, as the PSP sent it.
    ///   - status: Its status, or that of the answer.
    ///   - instrument: What the running attempt pays with: Swish shares two types with the common ones.
    ///   - instance: The problem's `instance`, which tells the same where it was sent.
    public func advice(
        type: String?,
        status: Int?,
        instrument: Instrument?,
        instance: String? = nil
    ) -> ProblemAdvice {
        guard let type, let slug = Self.slug(of: type) else {
            return .forStatusClass(of: status)
        }
        let isSwish = instrument == .swish || instance?.contains("/swish/") == true
        if let row = row(slug: slug, status: status, isSwish: isSwish) { return row.advice }
        return familyAdvice(slug: slug, status: status) ?? .forStatusClass(of: status)
    }

    /// The slug of a type; nothing when it is none of the PSP's.
    package static func slug(of type: String) -> String? {
        guard type.utf8.count > typePrefix.utf8.count,
            type.prefix(typePrefix.count).lowercased() == typePrefix
        else { return nil }
        return String(type.dropFirst(typePrefix.count))
    }

    /// What is the same for all spellings of a slug.
    static func key(of slug: String) -> String {
        slug.lowercased().replacing("_", with: "").replacing("canceled", with: "cancelled")
    }

    private func row(slug: String, status: Int?, isSwish: Bool) -> Row? {
        let candidates = (rowsByKey[Self.key(of: slug)] ?? []).map { rows[$0] }
        let ofFamily = candidates.filter { ($0.family == "swish") == isSwish }
        let eligible = ofFamily.isEmpty ? candidates : ofFamily
        let sameStatus = eligible.filter { $0.status == status }
        let closest = sameStatus.isEmpty ? eligible : sameStatus
        return closest.first { $0.slug == slug } ?? closest.first
    }

    /// The advice for a slug that is not there, from a row that stands for its whole family.
    ///
    /// A status from 500 on says more than the family: then it is not the payer who was declined.
    private func familyAdvice(slug: String, status: Int?) -> ProblemAdvice? {
        if let status, status >= 500 { return nil }
        let generic: String? =
            switch Self.key(of: String(slug.prefix { $0 != "/" })) {
            case "creditcard" where slug.contains("/"): "creditcard/carddeclined"
            case "vipps" where slug.contains("/"): "vipps/vipps_declined"
            default: nil
            }
        guard let generic, var advice = row(slug: generic, status: nil, isSwish: false)?.advice
        else { return nil }
        advice.isKnown = false
        return advice
    }
}
