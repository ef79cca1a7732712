/// The kinds of problems that the PSP documents, and what each means: the retry policy, as data.
///
/// The type decides, since it is the only member of a problem that programs may rely upon; the class of the status
/// counts for types that are not here.
///
/// Source: problem catalogue, lookup rules.
public struct ProblemCatalogue: Sendable {
    /// What every documented type begins with; the rest is the slug.
    public static let typePrefix = "https://api.payex.com/psp/errordetail/"

    /// Which data this is: recorded with every event whose decision used it.
    public let version: String
    /// The kinds of problems, in the order of the data.
    public let rows: [Row]
    private let rowsByType: [String: [Int]]

    /// One kind of problem.
    public struct Row: Hashable, Sendable {
        /// The type without its prefix, as documented; of a type that is not the PSP's, the whole type.
        public var slug: String
        /// The documented status; nil when there is none.
        public var status: Int?
        /// The part of the PSP that it comes from; not always a part of the slug.
        public var family: String
        /// What to do about it.
        public var advice: ProblemAdvice
        /// Where this is known from.
        public var source: String?

        /// A row with these members.
        public init(
            slug: String,
            status: Int?,
            family: String,
            advice: ProblemAdvice,
            source: String? = nil
        ) {
            self.slug = slug
            self.status = status
            self.family = family
            self.advice = advice
            self.source = source
        }

        /// The whole type.
        public var type: String { slug.contains(":") ? slug : typePrefix + slug }
    }

    /// A catalogue of these rows.
    public init(rows: [Row], version: String) {
        self.rows = rows
        self.version = version
        rowsByType = Dictionary(grouping: rows.indices) { Self.key(of: rows[$0].type) }
    }

    /// The limits of the card schemes on charges of a card without its payer, in the order of the data.
    public var chargeLimits: [ChargeLimit] { rows.flatMap(\.advice.chargeLimits) }

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
        guard let type else { return .forStatusClass(of: status) }
        let isSwish = instrument == .swish || instance?.contains("/swish/") == true
        if let row = row(type: type, status: status, isSwish: isSwish) { return row.advice }
        return familyAdvice(type: type, status: status) ?? .forStatusClass(of: status)
    }

    /// The rows of a type, in the order of the data.
    ///
    /// There are several where a type means different things with different statuses, where Swish shares it with the
    /// common problems, and where the documentation has two spellings.
    ///
    /// - Parameter type: The type, whole or as a slug, in any spelling.
    public func rows(of type: String) -> [Row] {
        let whole = type.contains(":") ? type : Self.typePrefix + type
        return (rowsByType[Self.key(of: whole)] ?? []).map { rows[$0] }
    }

    /// The slug of a type; nil when it is none of the PSP's.
    package static func slug(of type: String) -> String? {
        guard type.utf8.count > typePrefix.utf8.count,
            type.prefix(typePrefix.count).lowercased() == typePrefix
        else { return nil }
        return String(type.dropFirst(typePrefix.count))
    }

    /// What is the same for all spellings of a slug or type.
    package static func key(of slug: String) -> String {
        slug.lowercased().replacing("_", with: "").replacing("canceled", with: "cancelled")
    }

    private func row(type: String, status: Int?, isSwish: Bool) -> Row? {
        let candidates = (rowsByType[Self.key(of: type)] ?? []).map { rows[$0] }
        let ofFamily = candidates.filter { ($0.family == "swish") == isSwish }
        let eligible = ofFamily.isEmpty ? candidates : ofFamily
        let sameStatus = eligible.filter { $0.status == status }
        let closest = sameStatus.isEmpty ? eligible : sameStatus
        return closest.first { $0.type == type } ?? closest.first
    }

    /// The advice for a slug that is not there, from a row that stands for its whole family.
    ///
    /// A status from 500 on, or one that asks to wait, says more than the family: then it is not the payer who was
    /// declined.
    private func familyAdvice(type: String, status: Int?) -> ProblemAdvice? {
        guard let slug = Self.slug(of: type) else { return nil }
        if let status, status >= 500 || ProblemAdvice.waitingStatuses.contains(status) {
            return nil
        }
        let generic: String? =
            switch Self.key(of: String(slug.prefix { $0 != "/" })) {
            case "creditcard" where slug.contains("/"): "creditcard/carddeclined"
            case "vipps" where slug.contains("/"): "vipps/vipps_declined"
            default: nil
            }
        guard let generic,
            var advice = row(type: Self.typePrefix + generic, status: nil, isSwish: false)?.advice
        else { return nil }
        advice.isKnown = false
        return advice
    }
}
