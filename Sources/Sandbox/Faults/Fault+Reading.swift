extension Fault {
    /// Reads a fault from its JSON form, recording every error in `reader`.
    ///
    /// `{"rel": "start-payment-attempt", "nth": 1, "kind": "resetAfter"}`; the requests are
    /// `"nth": 2`, `"first": 3` or `"every": true`.
    static func read(from reader: inout BodyReader, at path: String) -> Fault? {
        let prefix = path.isEmpty ? "" : path + "."
        let rel = reader.string(prefix + "rel")
        let name = reader.string(prefix + "kind")
        let processed = reader.optionalBool(prefix + "takesEffect") ?? false
        if rel != "*", rel != "session", !rel.isEmpty, !Self.isOperation(rel) {
            reader.refuse(prefix + "rel", "is not an operation of a session or an order")
        }
        guard let kind = readKind(name, from: &reader, at: prefix) else { return nil }
        return Fault(
            rel: rel,
            requests: readRequests(from: &reader, at: prefix),
            kind: kind,
            takesEffect: processed || name == "resetAfter" || name == "hangAfter",
            lateEffect: LateEffect.read(from: &reader, at: prefix)
        )
    }

    /// Whether faults and scripts can name an operation.
    static func isOperation(_ rel: String) -> Bool {
        Rel(rawValue: rel) != nil || MerchantRel(rawValue: rel) != nil
    }

    private static func readRequests(from reader: inout BodyReader, at prefix: String) -> Requests {
        if let number = reader.optionalInteger(prefix + "nth") {
            if number < 1 { reader.refuse(prefix + "nth", "must be 1 or more") }
            return .nth(number)
        }
        if let count = reader.optionalInteger(prefix + "first") {
            if count < 1 { reader.refuse(prefix + "first", "must be 1 or more") }
            return .first(count)
        }
        return reader.optionalBool(prefix + "every") == true ? .every : .nth(1)
    }

    /// Reads the kind of fault; the member called `member` holds its name.
    static func readKind(
        _ name: String,
        from reader: inout BodyReader,
        at prefix: String,
        member: String = "kind"
    ) -> Kind? {
        switch name {
        case "status":
            let status = reader.integer(prefix + "status")
            if !(200...599).contains(status) {
                reader.refuse(prefix + "status", "must be an HTTP status from 200 to 599")
            }
            return .status(
                status,
                problemType: reader.optionalString(prefix + "problemType"),
                retryAfterSeconds: reader.optionalInteger(prefix + "retryAfterSeconds")
            )
        case "delay":
            let place = prefix + "milliseconds"
            if reader.value(place) == nil { reader.refuse(place, "is required") }
            return .delay(reader.optionalMilliseconds(place) ?? .zero)
        case "reset", "resetBefore", "resetAfter": return .reset
        case "hang", "hangBefore", "hangAfter": return .hang
        case "empty": return .empty
        case "noContent": return .noContent
        case "garbage": return .garbage
        case "html": return .html
        case "wrongTypes":
            let members = reader.optionalStrings(prefix + "members")
            return members.map { .wrongMembers($0) } ?? .wrongTypes
        case "foreign":
            let names = reader.optionalStrings(prefix + "members")
            let members = names?.compactMap { ForeignMember(rawValue: $0) }
            if members?.count != names?.count {
                reader.refuse(prefix + "members", "names what no response has of another order")
            }
            return .foreign(members.map { Set($0) } ?? Set(ForeignMember.allCases))
        case "act":
            guard let act = Act.read(from: &reader, at: prefix) else { return nil }
            return .act(act, isFirst: reader.optionalBool(prefix + "isFirst") ?? false)
        case "array": return .array
        case "huge":
            let bytes = reader.optionalInteger(prefix + "bytes") ?? Self.hugeBytes
            if !(1...Self.maximumBytes).contains(bytes) {
                reader.refuse(prefix + "bytes", "must be 1 to \(Self.maximumBytes)")
            }
            return .huge(bytes: bytes)
        case "duplicateMembers": return .duplicateMembers
        case "unknownMembers": return .unknownMembers
        case "unknownNext": return .unknownNext
        default:
            if !name.isEmpty { reader.refuse(prefix + member, "is not a kind of fault") }
            return nil
        }
    }

    /// The default size of a huge body: 3 MiB.
    static let hugeBytes = 3 * 1024 * 1024

    /// The maximum size of a huge body: 1 GiB.
    static let maximumBytes = 1024 * 1024 * 1024
}

extension LateEffect {
    /// Reads when a request takes effect after all: `"effectAfterMilliseconds": 5000` or
    /// `"effectAfterReads": 1`.
    static func read(from reader: inout BodyReader, at prefix: String) -> LateEffect? {
        if let delay = reader.optionalMilliseconds(prefix + "effectAfterMilliseconds") {
            return .after(delay)
        }
        guard let count = reader.optionalInteger(prefix + "effectAfterReads") else { return nil }
        if count < 1 { reader.refuse(prefix + "effectAfterReads", "must be 1 or more") }
        return .afterReads(count)
    }
}
