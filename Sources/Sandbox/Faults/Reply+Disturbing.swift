extension Reply {
    /// The response that the client gets instead of this one.
    func disturbed(by kind: Fault.Kind) -> Reply {
        switch kind {
        case .status(let status, let type, let retryAfter):
            return Reply(
                status: status,
                body: .problem(Self.problem(status, type)),
                retryAfterSeconds: retryAfter
            )
        case .empty:
            return Reply(
                status: 200,
                body: .raw("", contentType: "application/json; charset=utf-8")
            )
        case .noContent: return .noContent
        case .garbage:
            return Reply(
                status: 200,
                body: .raw("{\"paymentSession\": \u{FFFD}{{", contentType: "application/json")
            )
        case .html: return .page("<!doctype html><html><body>502 Bad Gateway</body></html>")
        case .wrongTypes:
            return .ok(["paymentSession": "none", "operations": 7, "problem": [true]])
        case .wrongMembers(let paths):
            let wrong = paths.reduce(document) { $0.replacing($1.pieces(between: "."), by: 5) }
            return Reply(status: status, body: .json(wrong))
        case .foreign(let members):
            return Reply(status: status, body: .json(document.naming(another: members)))
        case .array: return .ok([document])
        case .huge(let bytes): return Reply(status: 200, body: .filler(bytes))
        case .duplicateMembers: return withDuplicateMembers()
        case .unknownMembers: return .ok(Self.withUnknownMembers(document))
        case .unknownNext: return .ok(withUnknownOperation())
        case .delay, .reset, .hang, .act: return self
        }
    }

    private var document: JSON {
        switch body {
        case .json(let document), .problem(let document): document
        case .none, .html, .script, .raw, .filler: [:]
        }
    }

    private static func problem(_ status: Int, _ type: String?) -> JSON {
        let usual = ProblemDetail(
            slug: "systemerror",
            status: status,
            title: "Fault",
            detail: "This is a fault on purpose."
        )
        guard case .object(var members) = usual.document else { return .null }
        if let type { members["type"] = .string(type) }
        return .object(members)
    }

    /// Every member of the top level twice, with the correct value last.
    private func withDuplicateMembers() -> Reply {
        guard case .object(let members) = document, !members.isEmpty else { return self }
        let wrong = members.keys.sorted().map { name in
            String(decoding: JSON.string(name).bytes, as: UTF8.self) + ":null"
        }
        let right = String(decoding: document.bytes.dropFirst(), as: UTF8.self)
        return Reply(
            status: status,
            body: .raw(
                "{" + wrong.joined(separator: ",") + "," + right,
                contentType: "application/json; charset=utf-8"
            )
        )
    }

    /// The document with meaningless members in every object.
    private static func withUnknownMembers(_ value: JSON) -> JSON {
        switch value {
        case .object(let members):
            var changed = members.mapValues(withUnknownMembers)
            changed["xUnknown"] = ["depth": [[["x"]], nil, 1, true]]
            return .object(changed)
        case .array(let elements): return .array(elements.map(withUnknownMembers))
        case .null, .bool, .integer, .number, .string: return value
        }
    }

    private func withUnknownOperation() -> JSON {
        guard case .object(var members) = document else { return document }
        var operations: [JSON] = []
        if case .array(let known)? = members["operations"] { operations = known }
        operations.insert(
            [
                "rel": "x-never-heard-of", "href": "https://psp.example/x", "method": "POST",
                "next": true, "tasks": [], "expects": [],
            ],
            at: 0
        )
        members["operations"] = .array(operations)
        return .object(members)
    }
}
