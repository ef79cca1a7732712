internal import EventLog
internal import SwedbankPay

/// A row of a catalogue as written in the data: a complete row, or only the members to change.
struct CatalogueRow: Hashable {
    /// The row's position in the data, from 1.
    var number: Int
    /// The type without its prefix; for a type that is not the PSP's, the whole type.
    var slug: String
    var status: Int?
    var family: String?
    var actor: Actor?
    var retryClass: RetryClass?
    var retrySameRequest: Bool?
    var newAttempt: ProblemAdvice.NewAttempt?
    var askFirst: Bool?
    var delay: Duration?
    var maximumTries: Int?
    var maximumTime: Duration?
    var chargeAgain: ProblemAdvice.ChargeAgain?
    var chargeLimits: [ChargeLimit]?
    var payerMessage: String?
    var operatorMessage: String?
    var source: String?

    /// The maximum size of a catalogue in bytes.
    static let maximumBytes = 1 << 20
    /// The maximum number of rows in a catalogue.
    static let maximumRows = 2000
    /// The maximum size of a text in a row, in bytes.
    static let maximumTextBytes = 1000
    /// The longest wait before a request is repeated, in seconds.
    static let maximumRepeatDelaySeconds = 300
    /// The maximum number of card scheme limits in a row.
    static let maximumLimits = 20
    /// The longest time span in a row, in seconds: 366 days.
    static let maximumSeconds = 366 * 86_400

    /// The full type.
    var type: String {
        slug.unicodeScalars.contains(":") ? slug : ProblemCatalogue.typePrefix + slug
    }

    /// Reads the rows of a catalogue, or of changes to one.
    static func rows(in data: [UInt8]) throws(ProblemCatalogueError) -> [CatalogueRow] {
        guard data.count <= maximumBytes else {
            throw .unreadable(reason: "it has more than \(maximumBytes) bytes")
        }
        let json: ForeignJSON
        do throws(EventDecodingError) {
            json = try ForeignJSON(parsing: data, maximumDepth: 6)
        } catch {
            throw .unreadable(reason: "it is not JSON")
        }
        // The output of 'problems list --json': the catalogue's version beside the rows.
        guard let elements = json.array ?? json.object?["rows"]?.array else {
            throw .unreadable(reason: "it is not a list of rows")
        }
        guard elements.count <= maximumRows else {
            throw .unreadable(reason: "it has more than \(maximumRows) rows")
        }
        var rows: [CatalogueRow] = []
        rows.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            rows.append(try CatalogueRow(element, number: index + 1))
        }
        return rows
    }

    private init(_ json: ForeignJSON, number: Int) throws(ProblemCatalogueError) {
        guard let members = json.object else {
            throw .malformedRow(number: number, type: nil, reason: "it is not a JSON object")
        }
        var reader = CatalogueRowReader(members, number: number)
        slug = try reader.identity()
        self.number = number
        status = try reader.number("status", in: 100...999)
        family = try reader.text("family")
        actor = try reader.name("actor")
        retryClass = try reader.name("class")
        retrySameRequest = try reader.flag("retrySameRequest")
        newAttempt = try reader.name("newAttempt")
        askFirst = try reader.flag("askFirst")
        delay = try reader.number("delaySeconds", in: 0...Self.maximumSeconds).map {
            .seconds($0)
        }
        maximumTries = try reader.number("maximumTries", in: 1...100)
        maximumTime = try reader.number("maximumSeconds", in: 1...Self.maximumSeconds).map {
            .seconds($0)
        }
        chargeAgain = try reader.name("chargeAgain")
        chargeLimits = try reader.limits("chargeLimits")
        payerMessage = try reader.text("payerMessage")
        operatorMessage = try reader.text("operatorMessage")
        source = try reader.text("source")
        try reader.finish()
    }
}
