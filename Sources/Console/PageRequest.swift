internal import Adapters
internal import EventLog
internal import HTTPTypes
internal import Inspection
internal import Service
internal import SwedbankPay

/// A request of somebody who is known, in the reader's language.
struct PageRequest: Sendable {
    let head: HTTPRequest
    /// The parts of the path below the console.
    let parts: [String]
    /// The parameters of the address, each at most once and none empty.
    let query: [String: String]
    /// The fields of the form, each at most once and none empty.
    let form: [String: String]
    let caller: Caller
    let words: Words
    let clock: DisplayClock

    /// The session that the path names.
    func session() throws(ServiceProblem) -> SessionID {
        guard parts.count > 1, let session = SessionID(parts[1]) else {
            throw ServiceProblem(404, "request.no-session", "the path does not name a payment")
        }
        return session
    }
}

/// Reads what browsers send: parameters, forms and cookies.
enum BrowserInput {
    /// The maximum number of fields of a form or an address.
    static let fieldLimit = 64

    /// Returns the fields of a text in the form of `application/x-www-form-urlencoded`; of several
    /// with one name the first, and none that is empty.
    ///
    /// - Note: Source: WHATWG URL standard, section 5.1.
    static func fields(in text: some Collection<UInt8>) -> [String: String] {
        var fields: [String: String] = [:]
        for pair in text.split(separator: UInt8(ascii: "&")).prefix(fieldLimit) {
            let parts = pair.split(
                separator: UInt8(ascii: "="),
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            guard parts.count == 2, let name = decoded(parts[0]), let value = decoded(parts[1]),
                !value.isEmpty, fields[name] == nil
            else { continue }
            fields[name] = value
        }
        return fields
    }

    /// Returns the parameters of an address as it was requested.
    static func query(of target: String) -> [String: String] {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return [:] }
        return fields(in: target.utf8[mark...].dropFirst())
    }

    /// Returns the parts of a path; `nil` for one that another server would read in another way.
    static func parts(of target: String) -> [String]? {
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        guard path.first == UInt8(ascii: "/") else { return nil }
        var parts: [String] = []
        for part in path.dropFirst().split(separator: UInt8(ascii: "/")) {
            guard let text = PathPart.decoded(part) else { return nil }
            parts.append(text)
        }
        return parts
    }

    /// Returns the value of a cookie.
    static func cookie(_ name: String, in head: HTTPRequest) -> String? {
        for field in head.headerFields[values: .cookie] {
            for pair in field.pieces(between: ";") {
                let text = pair.drop { $0 == " " }
                guard text.hasPrefix(name + "=") else { continue }
                return String(text.dropFirst(name.count + 1))
            }
        }
        return nil
    }

    /// Whether the sender of a form is a page of the console itself, as the browser says.
    ///
    /// - Note: Source: Fetch metadata request headers (W3C): `Sec-Fetch-Site` cannot be set by a
    ///   page. A browser without it sends `Origin` with every form.
    static func isOwnForm(_ head: HTTPRequest) -> Bool {
        let sites = head.headerFields[values: .secFetchSite]
        if !sites.isEmpty { return sites == ["same-origin"] }
        let origins = head.headerFields[values: .origin]
        guard origins.count == 1, let authority = head.authority else { return false }
        return ["https://", "http://"].contains { origins[0] == $0 + authority }
    }

    /// Whether a page of another site led here, whose request carries no cookie of ours.
    static func comesFromElsewhere(_ head: HTTPRequest) -> Bool {
        head.headerFields[values: .secFetchSite] == ["cross-site"]
            && head.headerFields[values: .secFetchMode] == ["navigate"]
    }

    private static func decoded(_ part: some Collection<UInt8>) -> String? {
        String(
            validating: PercentEncoding.decoded(part.map { $0 == 0x2B ? 0x20 : $0 }),
            as: UTF8.self
        )
    }
}

extension HTTPField.Name {
    static let secFetchSite = FieldName.name("Sec-Fetch-Site")
    static let secFetchMode = FieldName.name("Sec-Fetch-Mode")
    static let openerPolicy = FieldName.name("Cross-Origin-Opener-Policy")
    static let resourcePolicy = FieldName.name("Cross-Origin-Resource-Policy")
    static let permissionsPolicy = FieldName.name("Permissions-Policy")
    static let referrerPolicy = FieldName.name("Referrer-Policy")
    static let requestID = FieldName.name("Request-Id")
}
