import EventLog
import LogFixtures
import SwedbankPay

/// Logs with terminal control characters in all texts that may come from outside.
enum HostileLog {
    /// What terminals obey: a color code like our own, a title, the bell, C1, right-to-left text,
    /// zero width, Unicode's line ends, carriage return, backspace, a new line.
    static let steering =
        "QZ\u{1B}[31mZQ\u{1B}]0;title\u{7}\u{9B}2J\u{85}\u{202E}\u{2066}\u{61C}\u{200B}\u{200F}\u{FEFF}"
        + "\u{2028}\u{2029}\u{E0041}\u{7F}\r\u{8}\nQ\tZ"

    /// Returns a kept log with the hostile text in every string whose record can still be decoded.
    ///
    /// A member that is added later is thus tried as well. The log becomes that of `session`.
    static func text(_ name: String, of session: SessionID) throws -> String {
        var previous = Digest256.zero
        var lines = ""
        for line in try GoldenLogs.text(name).split(separator: "\n") {
            var record = try LogLine.decode(Array(line.utf8))
            record.canonical = Array(
                String(decoding: record.canonical, as: UTF8.self)
                    .replacing("\(record.stream)", with: "\(session)").utf8
            )
            record.stream = session
            record.canonical = try hostile(record)
            record.previous = previous
            record.hash = HashChain.hash(previous, record.canonical)
            record.seals = []
            previous = record.hash
            lines += String(decoding: LogLine.encode(record), as: UTF8.self) + "\n"
        }
        return lines
    }

    private static func hostile(_ record: StoredRecord) throws -> [UInt8] {
        var value = try JSONValue(parsing: record.canonical)
        for path in paths(in: value) where ["data", "meta"].contains(path.first?.name) {
            var tried = record
            let changed = changing(value, at: path[...])
            tried.canonical = try changed.canonical()
            if isKnown(tried) || !isKnown(record) { value = changed }
        }
        return try value.canonical()
    }

    private static func isKnown(_ record: StoredRecord) -> Bool {
        guard let recorded = try? RecordReader.event(in: record) else { return false }
        if case .unknown = recorded.event { return false }
        return true
    }

    /// A step of a path to a text: the name of a member or the index of an element.
    private enum Step: Hashable {
        case member(String)
        case element(Int)

        var name: String? { if case .member(let name) = self { name } else { nil } }
    }

    /// Returns the paths to all texts in a value, except to identifiers to which others refer.
    private static func paths(in value: JSONValue) -> [[Step]] {
        switch value {
        case .string(let text): text.wholeMatch(of: /[a-z]{1,2}-\d+/) == nil ? [[]] : []
        case .array(let values):
            values.enumerated().flatMap { index, value in
                paths(in: value).map { [.element(index)] + $0 }
            }
        case .object(let members):
            members.flatMap { member in paths(in: member.value).map { [.member(member.name)] + $0 }
            }
        case .null, .bool, .integer: []
        }
    }

    private static func changing(_ value: JSONValue, at path: ArraySlice<Step>) -> JSONValue {
        guard let step = path.first else {
            if case .string(let text) = value { return .string(text + steering) }
            return value
        }
        switch (value, step) {
        case (.array(var values), .element(let index)):
            values[index] = changing(values[index], at: path.dropFirst())
            return .array(values)
        case (.object(var members), .member(let name)):
            for index in members.indices where members[index].name == name {
                members[index].value = changing(members[index].value, at: path.dropFirst())
            }
            return .object(members)
        default: return value
        }
    }
}
