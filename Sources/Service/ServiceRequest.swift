internal import Adapters
internal import EventLog
internal import FoundationEssentials
package import HTTPTypes
internal import SwedbankPay

/// A request whose path, query and caller are known.
struct ServiceRequest: Sendable {
    let head: HTTPRequest
    let body: [UInt8]
    /// The values of the parts of the path that the route names, in order.
    let parts: [String]
    /// The parameters of the query; each at most once.
    let query: [String: String]
    var caller: Caller

    /// The session that the path names.
    func session() throws(ServiceProblem) -> SessionID {
        guard let part = parts.first, let session = SessionID(part) else {
            throw ServiceProblem(404, "request.no-session", "the path does not name a session")
        }
        return session
    }

    /// Refuses parameters that the address does not have.
    func refuseParameters(except known: Set<String>) throws(ServiceProblem) {
        guard query.keys.allSatisfy(known.contains) else {
            throw ServiceProblem(
                400,
                "query.unknown",
                "the query has a parameter that this address does not have",
                hint: known.isEmpty ? nil : "it has " + known.sorted().joined(separator: ", ")
            )
        }
    }

    /// Returns a parameter that is a whole number within limits.
    func number(
        _ name: String,
        in range: ClosedRange<Int64>,
        default value: Int64
    ) throws(ServiceProblem) -> Int64 {
        guard let text = query[name] else { return value }
        guard let number = Int64(text), range.contains(number) else {
            throw .malformed(
                "the parameter '\(name)' must be a number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return number
    }

    /// Returns the value that a word of a parameter means; `nil` when the parameter is absent.
    func choice<Value>(
        _ name: String,
        _ words: [String: Value]
    ) throws(ServiceProblem) -> Value? {
        guard let text = query[name] else { return nil }
        guard let value = words[text] else {
            throw .malformed(
                "the parameter '\(name)' must be one of \(words.keys.sorted().joined(separator: ", "))"
            )
        }
        return value
    }

    /// How long the caller wants to wait for a session to settle: `Prefer: wait=SECONDS`
    /// (RFC 7240).
    var wait: Duration? {
        let preferences = head.headerFields[values: .prefer].flatMap { $0.pieces(between: ",") }
        for preference in preferences {
            let words = preference.pieces(between: "=").map { word in
                word.filter { $0 != " " && $0 != "\"" }
            }
            guard words.count == 2, words[0].lowercased() == "wait",
                let seconds = Int64(words[1]), seconds >= 0
            else { continue }
            return min(.seconds(seconds), PaymentAPI.longestWait)
        }
        return nil
    }

    /// The key with which the caller may repeat the request (`Idempotency-Key`).
    func key() throws(ServiceProblem) -> RequestKey? {
        guard let text = head.headerFields[.idempotencyKey] else { return nil }
        guard (1...255).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .malformed("an Idempotency-Key has 1 to 255 visible ASCII characters") }
        return RequestKey(
            text,
            of: caller.name,
            content: Array("\(head.method.rawValue) \(head.path ?? "")\n".utf8) + body
        )
    }

    /// Why an operator does something: as the body says, or else the field `Reason`.
    ///
    /// - Throws: A problem for a reason that cannot be recorded in the clear.
    func reason(_ given: String?) throws(ServiceProblem) -> String? {
        guard let reason = given ?? head.headerFields[.reason] else { return nil }
        guard OperatorText.isReason(reason) else {
            throw ServiceProblem(
                422,
                "usage.reason",
                "the reason cannot be recorded",
                hint: "write one line of at most \(OperatorText.reasonLimit) bytes without URLs, "
                    + "tokens or long numbers"
            )
        }
        return reason
    }

    /// The maximum nesting depth of a body.
    private static let depth = 16

    /// The text of a member of the body, which has been read; `nil` when it does not have it.
    func member(_ name: String) throws(ServiceProblem) -> [UInt8]? {
        do throws(EventDecodingError) {
            let members = try ForeignJSON(parsing: body, maximumDepth: Self.depth).object
            return members?[name].map { Array($0.text.utf8) }
        } catch {
            throw .malformed("the body is not JSON")
        }
    }

    /// Reads the body, which must be JSON in this form.
    func content<Content: RequestContent>(_ type: Content.Type) throws(ServiceProblem) -> Content {
        guard head.isJSON else { throw .wrongMediaType }
        let members: [String: ForeignJSON]?
        do {
            // Refuses text that is no Unicode, deep nesting and members that occur twice, of which
            // readers choose different ones.
            members = try ForeignJSON(
                parsing: body,
                maximumDepth: Self.depth,
                repairsText: false,
                allowingDuplicates: false
            ).object
        } catch {
            throw .malformed("the body is not JSON, is nested too deeply, or has a member twice")
        }
        guard let members, members.keys.allSatisfy(Content.members.contains) else {
            throw ServiceProblem(
                422,
                "request.content",
                "the body is not an object, or has a member that this address does not know",
                hint: "it has " + Content.members.sorted().joined(separator: ", ")
            )
        }
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch let error as DecodingError {
            throw ServiceProblem(422, "request.content", "the body \(error.advice)")
        } catch {
            throw .malformed("the body cannot be read")
        }
    }
}

extension DecodingError {
    /// What is wrong, without a word of what was read.
    fileprivate var advice: String {
        func path(_ context: Context) -> String {
            context.codingPath.map(\.stringValue).joined(separator: ".")
        }
        switch self {
        case .keyNotFound(let key, let context):
            let name = (context.codingPath + [key]).map(\.stringValue).joined(separator: ".")
            return "lacks the member '\(name)'"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return "has a member of the wrong type: '\(path(context))'"
        case .dataCorrupted(let context):
            return "has a member with a value that it cannot have: '\(path(context))'"
        @unknown default: return "cannot be read"
        }
    }
}

extension HTTPRequest {
    /// Whether it says that its body is JSON.
    var isJSON: Bool {
        let media = headerFields[.contentType]?.pieces(between: ";").first
        return media?.filter { $0 != " " }.lowercased() == "application/json"
    }
}

extension HTTPField.Name {
    static let prefer = FieldName.name("Prefer")
    static let idempotencyKey = FieldName.name("Idempotency-Key")
    static let idempotencyReplayed = FieldName.name("Idempotency-Replayed")
    static let reason = FieldName.name("Reason")
    package static let lastEventID = FieldName.name("Last-Event-ID")
    static let requestID = FieldName.name("Request-Id")
}
