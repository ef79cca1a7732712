internal import Adapters
internal import EventLog
internal import HTTPTypes
internal import SwedbankPay

/// A request with its parts parsed.
struct BackendRequest: Sendable {
    let head: HTTPRequest
    let body: [UInt8]
    let source: String?

    /// The path as requested, without the query.
    var path: String { String(target.unicodeScalars.prefix { $0 != "?" }) }

    /// The query as requested.
    var query: String? {
        target.unicodeScalars.firstIndex(of: "?")
            .map { String(target.unicodeScalars[$0...].dropFirst()) }
    }

    private var target: String { head.path ?? "/" }

    /// The body, which must be a JSON object without two members of the same name: of those, each
    /// reader may believe another one.
    ///
    /// - Parameters:
    ///   - maximumDepth: The maximum nesting depth.
    ///   - repairsText: Whether text that is no Unicode is repaired instead of refused, as in a
    ///     callback, of which only the order's identifier is used; two members of the same name are
    ///     accepted then, too.
    /// - Returns: The members of the object.
    /// - Throws: ``BackendProblem`` for any other body.
    func object(
        maximumDepth: Int,
        repairsText: Bool = false
    ) throws(BackendProblem) -> [String: ForeignJSON] {
        let type = head.headerFields[.contentType]?.pieces(between: ";").first
        guard type?.rewriting(" ", as: "").lowercased() == "application/json" else {
            throw .badRequest("The body must be application/json.", status: 415)
        }
        let json: ForeignJSON
        do throws(EventDecodingError) {
            json = try ForeignJSON(
                parsing: body,
                maximumDepth: maximumDepth,
                repairsText: repairsText,
                allowingDuplicates: repairsText
            )
        } catch .duplicateMember {
            throw .badRequest("An object in the body has two members of the same name.")
        } catch .limit {
            throw .badRequest("The body is nested more than \(maximumDepth) levels deep.")
        } catch {
            throw .badRequest("The body is not JSON.")
        }
        guard let object = json.object else { throw .badRequest("The body is not a JSON object.") }
        return object
    }
}

/// Reads the members of an object and collects all problems, so that they are reported together.
struct MemberReader {
    let members: [String: ForeignJSON]
    /// The prefix of the members' names.
    var path = ""
    private(set) var problems: [FieldProblem] = []

    init(_ members: [String: ForeignJSON], path: String = "") {
        self.members = members
        self.path = path
    }

    /// Records that a member is invalid.
    mutating func refuse(_ name: String, _ advice: String) {
        problems.append(FieldProblem(path + name, advice))
    }

    /// Reads a text that must be present.
    mutating func text(_ name: String, maximum: Int = 2048) -> String {
        guard let text = members[name]?.string, !text.isEmpty else {
            refuse(name, "must be a string")
            return ""
        }
        guard text.utf8.count <= maximum else {
            refuse(name, "must have at most \(maximum) bytes")
            return ""
        }
        return text
    }

    /// Reads a list of texts, which may be absent.
    mutating func texts(_ name: String, maximum: Int) -> [String] {
        guard let value = members[name], value != .null else { return [] }
        guard let elements = value.array, elements.count <= maximum,
            elements.allSatisfy({ $0.string != nil })
        else {
            refuse(name, "must be a list of at most \(maximum) strings")
            return []
        }
        return elements.compactMap(\.string)
    }

    /// Reads an object that must be present.
    mutating func object(_ name: String) -> [String: ForeignJSON] {
        guard let object = members[name]?.object else {
            refuse(name, "must be an object")
            return [:]
        }
        return object
    }

    /// Finishes reading.
    ///
    /// - Throws: A problem that names everything that was invalid.
    func finish() throws(BackendProblem) {
        guard problems.isEmpty else { throw .badRequest(problems) }
    }
}
