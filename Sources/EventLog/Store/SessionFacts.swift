/// The facts about a session's subject in its row, in the workflow's own terms, so that lists, sums
/// and searches need not read the log.
///
/// They are derived from the state by the same fold as everything else in the row, and written with
/// it. Which facts there are, the read model declares: ``ReadModel/columns``.
public struct SessionFacts: Hashable, Sendable {
    /// The values, in the order of the columns.
    public var values: [ReadModel.Value?]

    /// Creates facts with these values.
    public init(values: [ReadModel.Value?]) { self.values = values }

    /// The facts as a store keeps them in one value: a JSON list of the version and the values.
    package func encoded(version: Int64) -> [UInt8] {
        var writer = CanonicalWriter(capacity: 256)
        writer.append(UInt8(ascii: "["))
        writer.appendDecimal(version)
        for value in values {
            writer.append(UInt8(ascii: ","))
            switch value {
            case .text(let text)?: writer.string(text)
            case .integer(let number)?: writer.appendDecimal(number)
            case nil: writer.literal("null")
            }
        }
        writer.append(UInt8(ascii: "]"))
        return writer.bytes
    }

    /// Reads what ``encoded(version:)`` returns.
    ///
    /// - Returns: `nil` for facts of another version, and for anything that is not in this form.
    package init?(encoded bytes: [UInt8], of model: ReadModel) {
        var parser = ForeignJSONParser(bytes: bytes, maximumDepth: 2)
        guard case .array(let elements)? = try? parser.document(),
            elements.first?.integer == model.version, elements.count == model.columns.count + 1
        else { return nil }
        values = elements.dropFirst().map { element in
            if case .string(let text) = element { return .text(text) }
            return element.integer.map { .integer($0) }
        }
    }
}
