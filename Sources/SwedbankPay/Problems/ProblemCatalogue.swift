internal import EventLog

/// The kinds of problems that the PSP documents, and what each means: the retry policy, as data.
///
/// The type decides, because it is the only member of a problem that programs may rely on; for
/// types that are not in the catalogue, the class of the status is used.
///
/// - Note: Source: problem catalogue, lookup rules.
public struct ProblemCatalogue: Sendable {
    /// The prefix of every documented type; the rest is the slug.
    public static let typePrefix = "https://api.payex.com/psp/errordetail/"

    /// The version of the data, which is recorded with every event whose decision used it.
    public var version: String { table().version }
    /// The kinds of problems, in the order of the data.
    public var rows: [Row] { table().rows }
    private var rowsByType: [String: [Int]] { table().rowsByType }
    private let table: @Sendable () -> Table

    private final class Table: Sendable {
        let version: String
        let rows: [Row]
        /// The rows of each type, by the key that its spellings share and by its documented
        /// spelling, which needs no key to be made.
        let rowsByType: [String: [Int]]

        init(rows: [Row], version: String) {
            self.rows = rows
            self.version = version
            var byType = Dictionary(grouping: rows.indices) {
                ProblemCatalogue.key(of: rows[$0].type)
            }
            for row in rows { byType[row.type] = byType[ProblemCatalogue.key(of: row.type)] }
            rowsByType = byType
        }
    }

    /// One kind of problem.
    public struct Row: Hashable, Sendable {
        /// The type without its prefix, as documented; for a type that is not the PSP's, the whole
        /// type.
        public var slug: String
        /// The documented status; `nil` when there is none.
        public var status: Int?
        /// The part of the PSP it comes from; not always a part of the slug.
        public var family: String
        /// The handling of the problem.
        public var advice: ProblemAdvice
        /// The source of this information.
        public var source: String?

        /// Creates a row with these members.
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
        public var type: String { slug.unicodeScalars.contains(":") ? slug : typePrefix + slug }
    }

    /// Creates a catalogue of these rows.
    public init(rows: [Row], version: String) {
        let table = Table(rows: rows, version: version)
        self.table = { table }
    }

    /// Creates a catalogue whose data is read when it is first used.
    ///
    /// The function is called at each use, and must always return the same catalogue.
    package init(whenNeeded catalogue: @escaping @Sendable () -> ProblemCatalogue) {
        table = { catalogue().table() }
    }

    /// The limits of the card schemes on charges of a card without its payer, in the order of the
    /// data.
    public var chargeLimits: [ChargeLimit] { rows.flatMap(\.advice.chargeLimits) }

    /// Finds what a problem means.
    ///
    /// Letter case, underscores and the two spellings of "cancelled" are ignored, because spellings
    /// vary. Of several rows the one with the same status is used. A slug that is not in the
    /// catalogue falls back to its family, then to the class of its status.
    ///
    /// - Parameters:
    ///   - type: The problem's type, as the PSP sent it.
    ///   - status: Its status, or that of the response.
    ///   - instrument: The instrument of the running attempt; Swish shares two types with the
    ///     common problems.
    ///   - instance: The problem's `instance`, which identifies Swish in the same way where it was
    ///     sent.
    /// - Returns: The advice.
    public func advice(
        type: String?,
        status: Int?,
        instrument: Instrument?,
        instance: String? = nil
    ) -> ProblemAdvice {
        guard let type else { return .forStatusClass(of: status) }
        let isSwish = instrument == .swish || instance?.utf8.contains("/swish/".utf8) == true
        if let row = row(type: type, status: status, isSwish: isSwish) { return row.advice }
        return familyAdvice(type: type, status: status) ?? .forStatusClass(of: status)
    }

    /// The rows of a type, in the order of the data.
    ///
    /// There are several when a type means different things with different statuses, when Swish
    /// shares it with the common problems, and when the documentation has two spellings.
    ///
    /// - Parameter type: The type, whole or as a slug, in any spelling.
    /// - Returns: The rows; empty for an unknown type.
    public func rows(of type: String) -> [Row] {
        let whole = type.unicodeScalars.contains(":") ? type : Self.typePrefix + type
        return places(of: whole).map { rows[$0] }
    }

    private func places(of type: String) -> [Int] {
        rowsByType[type] ?? rowsByType[Self.key(of: type)] ?? []
    }

    /// The slug of a type; `nil` when it is not one of the PSP's.
    package static func slug(of type: String) -> String? {
        let (text, prefix) = (type.utf8, typePrefix.utf8)
        guard text.count > prefix.count, zip(text, prefix).allSatisfy({ $0.lowercasedASCII == $1 })
        else { return nil }
        return String(Substring(text.dropFirst(prefix.count)))
    }

    /// The key that all spellings of a slug or type share.
    package static func key(of slug: String) -> String {
        var key: [UInt8] = []
        key.reserveCapacity(slug.utf8.count + 1)
        for byte in slug.utf8 where byte != UInt8(ascii: "_") {
            guard byte < 0x80 else {
                return slug.lowercased().rewriting("_", as: "")
                    .rewriting("canceled", as: "cancelled")
            }
            key.append(byte.lowercasedASCII)
            if byte.lowercasedASCII == UInt8(ascii: "d"), key.suffix(8).elementsEqual(canceled) {
                key.replaceSubrange((key.count - 2)..., with: "led".utf8)
            }
        }
        return String(decoding: key, as: UTF8.self)
    }

    private static let canceled = Array("canceled".utf8)

    private func row(type: String, status: Int?, isSwish: Bool) -> Row? {
        let candidates = places(of: type)
        let ofFamily = candidates.filter { (rows[$0].family == "swish") == isSwish }
        let eligible = ofFamily.isEmpty ? candidates : ofFamily
        let sameStatus = eligible.filter { rows[$0].status == status }
        let closest = sameStatus.isEmpty ? eligible : sameStatus
        return (closest.first { rows[$0].type == type } ?? closest.first).map { rows[$0] }
    }

    /// The advice for a slug that is not in the catalogue, from a row that represents its whole
    /// family.
    ///
    /// A status from 500 on, or one that requests a delay, takes precedence over the family: the
    /// payer was not declined.
    private func familyAdvice(type: String, status: Int?) -> ProblemAdvice? {
        guard let slug = Self.slug(of: type) else { return nil }
        if let status, status >= 500 || ProblemAdvice.waitingStatuses.contains(status) {
            return nil
        }
        let generic: String? =
            switch Self.key(of: String(slug.unicodeScalars.prefix { $0 != "/" })) {
            case "creditcard" where slug.unicodeScalars.contains("/"): "creditcard/carddeclined"
            case "vipps" where slug.unicodeScalars.contains("/"): "vipps/vipps_declined"
            default: nil
            }
        guard let generic,
            var advice = row(type: Self.typePrefix + generic, status: nil, isSwish: false)?.advice
        else { return nil }
        advice.isKnown = false
        return advice
    }
}
