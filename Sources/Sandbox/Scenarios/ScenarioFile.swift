/// A scenario in a file: the orders that it applies to, and how the sandbox behaves towards them.
///
/// ```json
/// {"name": "declined, then fine",
///  "appliesTo": {"payeeReference": "test*"},
///  "order": {"methods": ["Swish", "CreditCard"]},
///  "operations": {
///     "start-payment-attempt": [{"after": 200, "problem": "creditcard/carddeclined"}]}}
/// ```
public struct ScenarioFile: Sendable, Equatable {
    /// The maximum size of a scenario file in bytes: 16 MiB.
    public static let maximumBytes = 16 * 1024 * 1024

    /// The name of the scenario.
    public var name: String
    /// The payee reference of the orders that it applies to; a trailing star matches any suffix.
    public var payeeReference: String?
    /// The description of the orders that it applies to; a trailing star matches any suffix.
    public var orderDescription: String?
    /// How the sandbox behaves.
    public var scenario: Scenario

    /// Creates a scenario for all orders.
    public init(name: String, scenario: Scenario) {
        self.name = name
        self.scenario = scenario
    }

    /// Parses a file.
    ///
    /// - Throws: ``ScenarioFileError`` with the path of the error.
    public static func read(_ bytes: [UInt8]) throws(ScenarioFileError) -> ScenarioFile {
        guard bytes.count <= maximumBytes else {
            throw ScenarioFileError(
                place: "",
                reason: "the file has more than \(maximumBytes) bytes",
                others: 0
            )
        }
        let mistake = JSONSyntax.mistake(in: bytes)
        guard mistake == nil, let document = JSON(bytes: bytes) else {
            let place = mistake.map { "line \($0.line), column \($0.column)" }
            throw ScenarioFileError(place: place ?? "", reason: "the file is not JSON", others: 0)
        }
        guard case .object = document else {
            throw ScenarioFileError(place: "", reason: "must be a JSON object", others: 0)
        }
        var reader = BodyReader(document)
        let file = read(from: &reader, document)
        guard let first = reader.problems.first else { return file }
        throw ScenarioFileError(
            place: first.name,
            reason: first.description,
            others: reader.problems.count - 1
        )
    }

    /// Whether the scenario applies to an order.
    func applies(to order: SandboxOrder) -> Bool {
        Self.matches(order.payeeReference, payeeReference)
            && Self.matches(order.description, orderDescription)
    }

    private static func matches(_ text: String, _ pattern: String?) -> Bool {
        guard let pattern else { return true }
        return pattern.hasSuffix("*") ? text.hasPrefix(pattern.dropLast()) : text == pattern
    }

    private static let members: Set<String> = [
        "$schema", "name", "description", "appliesTo", "order", "operations",
    ]

    private static func read(from reader: inout BodyReader, _ document: JSON) -> ScenarioFile {
        refuseUnknown(document, members, "", &reader)
        var file = ScenarioFile(
            name: reader.string("name"),
            scenario: Scenario.read(from: &reader, at: "order")
        )
        _ = reader.optionalString("description")
        if reader.has("order.operations") {
            reader.refuse("order.operations", "belongs beside 'order', not into it")
        }
        if let applies = reader.value("appliesTo") {
            refuseUnknown(applies, ["payeeReference", "description"], "appliesTo.", &reader)
        }
        file.payeeReference = reader.optionalString("appliesTo.payeeReference")
        file.orderDescription = reader.optionalString("appliesTo.description")
        file.scenario.script = Script.read(from: &reader, at: "operations")
        for number in file.scenario.savedCards ?? [] where TestCard.all[number] == nil {
            reader.refuse("order.savedCards", "must be numbers of test cards")
        }
        return file
    }

    private static func refuseUnknown(
        _ value: JSON,
        _ known: Set<String>,
        _ prefix: String,
        _ reader: inout BodyReader
    ) {
        guard case .object(let members) = value else {
            return reader.refuse(String(prefix.dropLast()), "must be a JSON object")
        }
        for name in members.keys.sorted() where !known.contains(name) {
            reader.refuseUnknown(name, in: prefix)
        }
    }
}

/// Why a scenario file is invalid.
public struct ScenarioFileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The path in the file, such as `operations.get-payment.0.after`; empty for the file as a
    /// whole.
    public let place: String
    /// The error at that path.
    public let reason: String
    /// The number of further errors.
    public let others: Int

    /// The first error, and the number of others.
    public var description: String {
        let first = place.isEmpty ? reason : "\(place): \(reason)"
        return others == 0 ? first : "\(first) (and \(others) more)"
    }
}
