internal import EventLog
internal import SwedbankPay

/// The readable members of a problem document, in the clear (RFC 9457).
///
/// - Note: Source: problem catalogue, parsing rules.
struct ProblemMembers {
    var type: String?
    var title: String?
    var status: Int?
    var detail: String?
    var instance: String?
    var action: String?
    /// Problems with single parts of the request.
    var problems: [(name: String?, description: String?)] = []
    /// The status of a response that a backend received and could not process.
    var gatewayStatus: Int?
    /// The body of that response.
    var gatewayBody: String?
    /// Whether at least one member of a problem was present, and none in an unexpected form.
    var isWellFormed: Bool
    /// Whether at least one member of a problem was present.
    var isProblem: Bool

    /// Reads a body; `nil` when it is not a JSON object.
    init?(_ body: [UInt8], limits: ResponseLimits) {
        guard
            let json = try? ForeignJSON(
                parsing: body,
                maximumDepth: limits.depth,
                repairsText: true
            ),
            let members = json.object
        else { return nil }
        var odd = 0
        var even = 0
        func member<Value>(_ name: String, _ read: (ForeignJSON) -> Value?) -> Value? {
            guard let json = members[name], json != .null else { return nil }
            guard let value = read(json) else {
                odd += 1
                return nil
            }
            even += 1
            return value
        }
        type = member("type", \.string)
        status = member("status", ProblemStatus.read)
        if case .string? = members["status"] { odd += 1 }
        title = member("title", \.string)
        detail = member("detail", \.string)
        isWellFormed = odd == 0 && even > 0
        isProblem = even > 0
        let bound = limits.textBytes
        func text(_ name: String) -> String? {
            members[name]?.string.flatMap { $0.utf8.count <= bound ? $0 : nil }
        }
        instance = text("instance")
        action = text("action")
        gatewayStatus = members["gatewayStatus"].flatMap(ProblemStatus.read)
        gatewayBody = text("body")
        for element in (members["problems"]?.array ?? []).prefix(limits.elements) {
            guard let element = element.object else { continue }
            problems.append((element["name"]?.string, element["description"]?.string))
        }
    }
}

extension ProblemMembers {
    /// The maximum number of request parts that an explanation names.
    private static let namedParts = 8

    /// The explanation with the problems of single parts of the request, without which it is hardly
    /// useful.
    var explanation: String? {
        let parts = problems.prefix(Self.namedParts).compactMap { part -> String? in
            let words = [part.name, part.description].compactMap { $0 }
            return words.isEmpty ? nil : words.joined(separator: ": ")
        }
        guard !parts.isEmpty else { return detail }
        let named = parts.joined(separator: "; ")
        return detail.map { "\($0) (\(named))" } ?? named
    }
}
