extension Script {
    /// Reads the `operations` member of a scenario.
    static func read(from reader: inout BodyReader, at path: String) -> Script {
        guard let value = reader.value(path) else { return Script() }
        guard case .object(let operations) = value else {
            reader.refuse(path, "must be a JSON object")
            return Script()
        }
        var script = Script()
        var total = 0
        for rel in operations.keys.sorted() {
            let place = "\(path).\(rel)"
            if rel != "session", !Fault.isOperation(rel) {
                reader.refuse(place, "is not an operation of a session or an order")
            }
            let count = reader.count(place)
            total += count
            guard total <= Script.limit else {
                reader.refuse(path, "must have at most \(Script.limit) steps")
                return script
            }
            script.steps[rel] = (0..<count).compactMap {
                Step.read(from: &reader, at: "\(place).\($0)")
            }
        }
        return script
    }
}

extension Step {
    private static let members: Set<String> = [
        "after", "times", "behaviour", "bytes", "problem", "refusal", "title", "detail", "status",
        "body", "text", "contentType", "retryAfterSeconds", "takesEffect", "comment",
        "effectAfterMilliseconds", "effectAfterReads", "members", "act", "isFirst", "method",
        "card",
        "amount",
    ]

    /// Reads a step, recording every error in `reader`.
    static func read(from reader: inout BodyReader, at path: String) -> Step? {
        guard case .object(let object)? = reader.value(path) else {
            reader.refuse(path, "must be a JSON object")
            return nil
        }
        for name in object.keys.sorted() where !members.contains(name) {
            reader.refuseUnknown(name, in: path + ".")
        }
        let literal = ["body", "text"].contains { reader.has("\(path).\($0)") }
        let kinds = ["behaviour", "problem", "refusal"].filter { reader.has("\(path).\($0)") }
        if kinds.count + (literal ? 1 : 0) > 1 {
            reader.refuse(path, "must have only one of behaviour, problem, refusal, body and text")
        }
        var step = Step(after: reader.optionalMilliseconds("\(path).after") ?? .zero)
        step.takesEffect = reader.optionalBool("\(path).takesEffect") ?? false
        step.lateEffect = LateEffect.read(from: &reader, at: "\(path).")
        step.requests = readRequests(from: &reader, at: path)
        _ = reader.optionalString("\(path).comment")
        switch kinds.first {
        case "behaviour": step.readBehaviour(from: &reader, at: path)
        case "problem": step.response = .problem(readProblem(from: &reader, at: path, "problem"))
        case "refusal":
            step.response = .refusal(
                readProblem(from: &reader, at: path, "refusal"),
                retryAfterSeconds: reader.optionalInteger("\(path).retryAfterSeconds")
            )
        default:
            if literal || reader.has("\(path).status") {
                step.response = .literal(LiteralResponse.read(from: &reader, at: path))
            }
        }
        return step
    }

    private static func readRequests(from reader: inout BodyReader, at path: String) -> Requests {
        if reader.value("\(path).times") == "rest" { return .rest }
        guard let count = reader.optionalInteger("\(path).times") else { return .times(1) }
        if count < 1 { reader.refuse("\(path).times", "must be 1 or more, or 'rest'") }
        return .times(count)
    }

    private mutating func readBehaviour(from reader: inout BodyReader, at path: String) {
        let name = reader.string("\(path).behaviour")
        if name == "normal" { return }
        guard name != "status", name != "delay" else {
            reader.refuse("\(path).behaviour", "say it with the members 'status' and 'after'")
            return
        }
        guard let kind = Fault.readKind(name, from: &reader, at: "\(path).", member: "behaviour")
        else { return }
        response = .disturbed(kind)
        if name == "resetAfter" || name == "hangAfter" { takesEffect = true }
    }

    private static func readProblem(
        from reader: inout BodyReader,
        at path: String,
        _ member: String
    ) -> ScriptedProblem {
        let problem = ScriptedProblem(
            reader.string("\(path).\(member)"),
            status: reader.optionalStatus("\(path).status"),
            title: reader.optionalString("\(path).title"),
            detail: reader.optionalString("\(path).detail")
        )
        if !problem.slug.isEmpty, !problem.isKnown {
            reader.refuse("\(path).\(member)", "is not in the problem catalogue, nor a whole URI")
        }
        return problem
    }
}

extension LiteralResponse {
    /// Reads the literal response of a step.
    static func read(from reader: inout BodyReader, at path: String) -> LiteralResponse {
        var response = LiteralResponse(
            status: reader.optionalStatus("\(path).status") ?? 200,
            contentType: reader.optionalString("\(path).contentType"),
            retryAfterSeconds: reader.optionalInteger("\(path).retryAfterSeconds")
        )
        if reader.has("\(path).body"), reader.has("\(path).text") {
            reader.refuse(path, "must have only one of body and text")
        }
        if let body = reader.value("\(path).body") {
            response.body = String(decoding: body.bytes, as: UTF8.self)
        } else if let text = reader.optionalString("\(path).text") {
            response.body = text
        }
        let place = reader.has("\(path).body") ? "\(path).body" : "\(path).text"
        for name in Placeholder.names(in: response.body) where Placeholder(name) == nil {
            reader.refuse(place, "has an unknown placeholder {{\(name.prefix(60))}}")
        }
        return response
    }
}

extension BodyReader {
    /// An HTTP status from 200 to 599; `nil` when absent or null.
    mutating func optionalStatus(_ path: String) -> Int? {
        guard let status = optionalInteger(path) else { return nil }
        if !(200...599).contains(status) { refuse(path, "must be an HTTP status from 200 to 599") }
        return status
    }
}
