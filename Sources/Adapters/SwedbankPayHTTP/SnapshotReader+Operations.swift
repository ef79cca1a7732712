internal import EventLog
internal import SwedbankPay

/// Reads operations, their tasks and their expected values.
extension SnapshotReader {
    /// Reads the member `operations`.
    mutating func operations(in members: inout Members) throws(Obstacle) -> [Operation] {
        try elements(
            of: "operations",
            in: &members,
            limit: limits.operations,
            called: "operations"
        ) { reader, json, path throws(Obstacle) in
            try reader.countOperation()
            return try reader.operation(json, at: path)
        }
    }

    /// Reads one operation.
    mutating func operation(_ json: ForeignJSON, at path: String) throws(Obstacle) -> Operation {
        guard var members = Members(json, at: path), let rel = members.read("rel").flatMap(name)
        else { throw .wrongShape }
        var operation = Operation(rel: Rel(rawValue: rel))
        operation.method = try httpMethod(in: &members)
        let href = try text("href", in: &members)
        operation.href = href.flatMap { $0.isEmpty ? nil : seal($0) }
        operation.isNext = member("next", in: &members, \.lenientBool) ?? false
        operation.contentType = member("contentType", in: &members, name)
        operation.tasks = try elements(
            of: "tasks",
            in: &members,
            limit: limits.tasks,
            called: "tasks"
        ) { reader, json, path throws(Obstacle) in try reader.task(json, at: path) }
        operation.expects = try expectations(in: &members)
        if operation.rel == .redirectPayer {
            operation.target = RedirectTarget.classify(href, urls: urls)
        }
        keep(members)
        return operation
    }

    private mutating func task(
        _ json: ForeignJSON,
        at path: String
    ) throws(Obstacle) -> IntegrationTask {
        guard var members = Members(json, at: path), let rel = members.read("rel").flatMap(name)
        else { throw .wrongShape }
        var task = IntegrationTask(rel: TaskRel(rawValue: rel))
        if let href = try text("href", in: &members), !href.isEmpty {
            let scheme = AppLink.scheme(of: href)
            if task.rel.mayBeSent(to: scheme),
                task.rel != .launchClientApp || addresses.opensApp(href)
            {
                task.href = seal(href)
                task.scheme = scheme
            } else {
                leave(.string(href), at: members.pointer("href"))
            }
        }
        task.method = try httpMethod(in: &members)
        task.contentType = member("contentType", in: &members, name)
        task.expects = try expectations(in: &members)
        keep(members)
        return task
    }

    private mutating func httpMethod(in members: inout Members) throws(Obstacle) -> String? {
        guard let json = members.read("method") else { return nil }
        guard let method = name(json) else { throw .wrongShape }
        return method
    }

    private mutating func expectations(in members: inout Members) throws(Obstacle) -> [Expectation]
    {
        try elements(
            of: "expects",
            in: &members,
            limit: limits.expectations,
            called: "expects"
        ) { reader, json, path throws(Obstacle) in try reader.expectation(json, at: path) }
    }

    private mutating func expectation(
        _ json: ForeignJSON,
        at path: String
    ) throws(Obstacle) -> Expectation {
        guard var members = Members(json, at: path), let name = members.read("name").flatMap(name)
        else { throw .wrongShape }
        let type = member("type", in: &members, self.name)
        let value = members.read("value") ?? .null
        guard value.text.utf8.count <= limits.textBytes else { throw .wrongShape }
        keep(members)
        return Expectation(name: name, value: expected(value, name: name, type: type))
    }

    /// The value, according to its JSON type and its declared type.
    ///
    /// A missing declaration has no effect; one that does not match the value makes it an unknown
    /// value.
    private mutating func expected(
        _ json: ForeignJSON,
        name: String,
        type: String?
    ) -> Expectation.Value {
        switch (json, type?.lowercased()) {
        case (.null, _): return .null
        case (.string(let text), "bool"), (.string(let text), "boolean"):
            if let truth = ForeignJSON.string(text).lenientBool { return .bool(truth) }
        case (.string(let text), "string"), (.string(let text), nil):
            if name == "methodCompletionIndicator", CompletionIndicator(rawValue: text) != nil {
                return .string(text)
            }
            return .sealed(seal(text))
        case (.array(let elements), "string[]"), (.array(let elements), nil):
            let texts = elements.compactMap(plain)
            if texts.count == elements.count, texts.count <= limits.elements {
                return .strings(texts)
            }
        case (.bool(let truth), "bool"), (.bool(let truth), "boolean"), (.bool(let truth), nil):
            return .bool(truth)
        case (.integer, let type) where type != "string" && type != "bool":
            // A number that no event can contain is kept as it was written.
            if let number = json.recordable { return .integer(number) }
        case (.string, _), (.array, _), (.bool, _), (.integer, _), (.number, _), (.object, _):
            break
        }
        return .unknown(type: type ?? "", raw: seal(json.text))
    }
}

extension TaskRel {
    /// Whether a task may have an address of that scheme.
    ///
    /// 3-D Secure forms are posted to web pages: an address that a browser would execute, or find
    /// on the payer's device, is refused. Which apps may be opened is decided by the session's
    /// rules.
    fileprivate func mayBeSent(to scheme: String?) -> Bool {
        guard self == .scaMethodRequest || self == .scaRedirect else { return true }
        return scheme == "https" || scheme == "http"
    }
}
