internal import EventLog
internal import Inspection
internal import SwedbankPay

/// The data that a page's script reads, as JSON in the document; the script itself is always the
/// same.
struct PageData: Hashable, Sendable {
    private var members: [JSONValue.Member] = []

    /// Creates the data for a kind of page.
    init(page: String, reporting: PageReporting) {
        set("page", page)
        set("messageHandler", reporting.messageHandler)
        set("parentOrigin", reporting.parentOrigin)
        set("resultURL", reporting.resultURL)
    }

    /// Adds a text, unless it is `nil`.
    mutating func set(_ name: String, _ text: String?) {
        guard let text else { return }
        members.append(.init(name, .string(text)))
    }

    /// Adds a duration in milliseconds.
    mutating func set(_ name: String, _ duration: Duration) {
        members.append(.init(name, .integer(max(0, duration.wholeMilliseconds))))
    }

    /// Adds a value, unless it is `nil`.
    mutating func set(_ name: String, _ value: JSONValue?) {
        guard let value else { return }
        members.append(.init(name, value))
    }

    /// The data, escaped for a document.
    var json: String {
        let bytes = (try? JSONValue.object(members).canonical()) ?? Array("{}".utf8)
        return Markup.escaped(json: String(decoding: bytes, as: UTF8.self))
    }
}
