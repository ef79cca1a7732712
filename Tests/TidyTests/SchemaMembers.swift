import Foundation

/// The members of events that contain text, according to their schemas.
struct SchemaMember: Equatable {
    /// How a member is stored.
    enum Form: String {
        /// A sealed value.
        case sealed
        /// Text that is sealed if it resembles a secret.
        case screened
        /// Text in the clear.
        case open
    }

    /// The event or part that it belongs to, and its path there, such as `operation.href`.
    var place: String
    var form: Form

    /// Words in the names of members with secret or personal values.
    static let tellingWords: Set<String> = [
        "account", "address", "agent", "authorization", "birth", "body", "brand", "by", "card",
        "city", "cookie",
        "consumer", "country", "cres", "creq", "customer", "cvc", "cvv", "data", "description",
        "destination", "detail", "digest", "document", "email", "error", "expiry", "header", "host",
        "href", "iban",
        "id", "item", "key", "link", "mail", "masked", "metadata", "mobile", "msisdn", "name",
        "national",
        "note", "pan", "password", "payee", "payer", "payload", "person", "phone", "pin", "postal",
        "profile",
        "raw", "reason", "receipt", "reference", "root", "scheme", "script", "secret", "shopper",
        "signature", "ssn",
        "street", "surname", "text", "title", "token", "uri", "url", "user", "zip",
    ]

    /// Whether its name is that of a secret or of something personal.
    var looksSecret: Bool {
        // For parts that consist of addresses, the owner's name decides.
        place.split(whereSeparator: { $0 == "." }).contains { part in
            Self.words(of: part).contains { Self.tellingWords.contains($0) }
        }
    }

    /// Returns the words of a name: `consumerProfileRef` has three; plurals count as singulars.
    static func words(of name: Substring) -> [String] {
        let plain = name.replacing("cRes", with: "cres").replacing("cReq", with: "creq")
            .replacing("URLs", with: "Urls")
        return plain.matches(of: /[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+/).map { match in
            let word = match.output.lowercased()
            return tellingWords.contains(word) || !word.hasSuffix("s")
                ? word : String(word.dropLast())
        }
    }

    /// Returns the members of all events and of the parts that they share.
    static func all() throws -> [SchemaMember] {
        try Repository.files(below: "Schemas/events", endingIn: ".json")
            .filter { $0.name != "sealed.schema.json" }
            .flatMap { try members(of: $0.text, called: String($0.name.prefix { $0 != "." })) }
            // Versions of an event have most members in common.
            .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// Returns the members that one schema, or each of its parts, describes.
    static func members(of schema: String, called name: String) throws -> [SchemaMember] {
        let document =
            try JSONSerialization.jsonObject(with: Data(schema.utf8)) as? [String: Any] ?? [:]
        var found: [SchemaMember] = []
        if name != "parts" { collect(document, name, isRoot: true, into: &found) }
        for (part, definition) in document["$defs"] as? [String: Any] ?? [:]
        where part != "outsideText" {
            collect(definition, part, isRoot: true, into: &found)
        }
        return found.sorted { $0.place < $1.place }.reduce(into: []) { list, member in
            if list.last?.place != member.place {
                list.append(member)
            } else if member.form != .open {
                list[list.count - 1] = member
            }
        }
    }

    private static func collect(
        _ node: Any,
        _ place: String,
        isRoot: Bool,
        into found: inout [SchemaMember]
    ) {
        guard let node = node as? [String: Any] else { return }
        if !isRoot {
            if let form = form(of: node) {
                return found.append(SchemaMember(place: place, form: form))
            }
            if isText(node) { found.append(SchemaMember(place: place, form: .open)) }
        }
        for (name, value) in node["properties"] as? [String: Any] ?? [:] {
            collect(value, "\(place).\(name)", isRoot: false, into: &found)
        }
        for name in ["items", "additionalProperties"] {
            if let value = node[name] { collect(value, place, isRoot: isRoot, into: &found) }
        }
        for name in ["anyOf", "oneOf", "allOf"] {
            for value in node[name] as? [Any] ?? [] {
                collect(value, place, isRoot: isRoot, into: &found)
            }
        }
    }

    private static func form(of node: [String: Any]) -> Form? {
        switch (node["$ref"] as? String)?.split(whereSeparator: { $0 == ":" || $0 == "/" }).last {
        case "sealed": return .sealed
        case "outsideText": return .screened
        default: break
        }
        let choices = (node["anyOf"] as? [[String: Any]] ?? []).compactMap(form)
        return choices.contains(.sealed) ? .screened : nil
    }

    /// Returns whether any text is allowed there, and not only a few words.
    private static func isText(_ node: [String: Any]) -> Bool {
        node["type"] as? String == "string" && node["enum"] == nil && node["const"] == nil
    }
}
