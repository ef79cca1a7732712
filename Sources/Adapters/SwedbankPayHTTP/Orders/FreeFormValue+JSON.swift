internal import EventLog
internal import SwedbankPay

extension FreeFormValue {
    /// Converts a JSON value; `nil` when it contains a number that cannot be kept exactly.
    init?(_ json: ForeignJSON) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .integer(value)
        case .number(let value):
            guard value.magnitude < 0x1p53 else { return nil }
            self = .number(value)
        case .string(let value): self = .text(value)
        case .array(let elements):
            var values: [FreeFormValue] = []
            for element in elements {
                guard let value = FreeFormValue(element) else { return nil }
                values.append(value)
            }
            self = .list(values)
        case .object(let members):
            var values: [String: FreeFormValue] = [:]
            for (name, member) in members {
                guard let value = FreeFormValue(member) else { return nil }
                values[name] = value
            }
            self = .members(values)
        }
    }

    /// The value as JSON.
    var json: ForeignJSON {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .integer(let value): .integer(value)
        case .number(let value): .number(value)
        case .text(let value): .string(value)
        case .list(let values): .array(values.map(\.json))
        case .members(let values): .object(values.mapValues(\.json))
        }
    }
}
