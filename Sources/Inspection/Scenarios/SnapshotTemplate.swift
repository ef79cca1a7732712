internal import EventLog
internal import SwedbankPay

/// A PSP's response in a scenario: the clear values of the log, and placeholders for the rest.
///
/// - Note: Source: payment session API, resource model.
package struct SnapshotTemplate {
    private var placeholders: Placeholders
    /// The body of the response.
    private(set) var body: JSONValue = .null

    /// Returns the template of a snapshot; `placeholders` keeps the names for the next one.
    static func body(of snapshot: Snapshot, naming placeholders: inout Placeholders) -> JSONValue {
        var template = SnapshotTemplate(placeholders: placeholders)
        template.write(snapshot)
        placeholders = template.placeholders
        return template.body
    }

    private init(placeholders: Placeholders) { self.placeholders = placeholders }

    private mutating func write(_ snapshot: Snapshot) {
        var session: [JSONValue.Member] = [
            .init("culture", JSONValue(snapshot.culture)),
            .init("instrumentModePaymentMethod", JSONValue(snapshot.instrumentMode?.rawValue)),
            .init("methods", .array(snapshot.methods.map { method($0) })),
            .init("urls", urls(snapshot.urls)),
        ]
        if let enabled = snapshot.enabledMethods {
            session.append(
                .init(
                    "settings",
                    [
                        "enabledPaymentMethods": .array(enabled.map { .string($0.rawValue) })
                    ]
                )
            )
        }
        body = [
            "paymentSession": .object(session),
            "operations": .array(snapshot.operations.map { operation($0, of: nil) }),
            "problem": snapshot.problem.map { problem($0) } ?? .null,
        ]
    }

    /// The addresses of the order that is played, where the recorded one had such an address.
    private func urls(_ urls: OrderURLs) -> JSONValue {
        [
            "completeUrl": urls.complete == nil ? .null : .string("{{completeUrl}}"),
            "cancelUrl": urls.cancel == nil ? .null : .string("{{cancelUrl}}"),
            "paymentUrl": urls.payment == nil ? .null : .string("{{paymentUrl}}"),
            "hostUrls": .array(urls.hosts.isEmpty ? [] : [.string("{{hostUrl}}")]),
        ]
    }

    private mutating func method(_ method: OfferedMethod) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("paymentMethod", .string(method.name.rawValue)),
            .init("prefills", .array(method.prefills.map { prefill($0) })),
            .init("operations", .array(method.operations.map { operation($0, of: method.name) })),
        ]
        func add(_ name: String, _ names: [String]) {
            guard !names.isEmpty else { return }
            members.append(.init(name, .array(names.map { .string($0) })))
        }
        add("cardBrands", method.cardBrands)
        add("merchantCapabilities", method.merchantCapabilities)
        add("allowedCardAuthMethods", method.allowedCardAuthMethods)
        if let environment = method.environment {
            members.append(.init("environment", .string(environment)))
        }
        return .object(members)
    }

    private mutating func prefill(_ prefill: Prefill) -> JSONValue {
        switch prefill {
        case .swish(let rank, _, _):
            // A number from the PSP's test data, since the payer's own is private.
            return [
                "rank": .integer(Int64(rank)), "msisdn": .string("+46739000001"),
            ]
        case .card(let card):
            return [
                "rank": .integer(Int64(card.rank)),
                "paymentToken": .string(placeholders.name("token:card", for: card.token)),
                "cardBrand": JSONValue(card.brand),
                "maskedPan": JSONValue(card.maskedPan),
                "expiryDate": JSONValue(card.expiry?.timestamp),
            ]
        }
    }

    private mutating func problem(_ problem: SessionProblem) -> JSONValue {
        [
            "type": .string(problem.type),
            "title": JSONValue(problem.title?.inTheClear),
            "status": problem.status.map { .integer(Int64($0)) } ?? .null,
            "detail": JSONValue(problem.detail?.inTheClear),
            "operation": problem.acknowledge.map { operation($0, of: nil) } ?? .null,
        ]
    }

    private mutating func operation(
        _ operation: Operation,
        of method: PaymentMethodName?
    )
        -> JSONValue
    {
        let rel = operation.rel.rawValue
        var kind = "href:" + Placeholders.plain(rel)
        if let method { kind += "/" + Placeholders.plain(method.rawValue) }
        var href = JSONValue.null
        switch operation.target {
        case .complete: href = .string("{{completeUrl}}")
        case .cancel: href = .string("{{cancelUrl}}")
        case .payment: href = .string("{{paymentUrl}}")
        case .elsewhere(let host): href = .string("https://\(host)/")
        case .unreadable: href = .string("")
        case nil:
            if let sealed = operation.href {
                href = .string(placeholders.name(kind, for: sealed))
            }
        }
        var members: [JSONValue.Member] = [
            .init("rel", .string(rel)), .init("href", href),
            .init("method", JSONValue(operation.method)),
        ]
        if operation.isNext { members.append(.init("next", .bool(true))) }
        if !operation.tasks.isEmpty {
            members.append(.init("tasks", .array(operation.tasks.map { task($0) })))
        }
        if !operation.expects.isEmpty {
            members.append(.init("expects", .array(operation.expects.map { expectation($0) })))
        }
        return .object(members)
    }

    private mutating func task(_ task: IntegrationTask) -> JSONValue {
        var href = JSONValue.null
        if task.href != nil {
            switch task.rel {
            case .launchClientApp where task.scheme == "swish":
                href = .string(placeholders.name("swish", for: task.href))
            case .scaMethodRequest: href = .string("{{acs:method}}")
            case .scaRedirect: href = .string("{{acs:challenge}}")
            default: href = .string("\(task.scheme ?? "https")://recorded.example/")
            }
        }
        return [
            "rel": .string(task.rel.rawValue), "href": href,
            "method": JSONValue(task.method),
            "contentType": JSONValue(task.contentType),
            "expects": .array(task.expects.map { expectation($0) }),
        ]
    }

    private mutating func expectation(_ expectation: Expectation) -> JSONValue {
        let type: String
        let value: JSONValue
        switch expectation.value {
        case .sealed(let sealed):
            (type, value) = (
                "string", .string(placeholders.value(of: expectation.name, for: sealed))
            )
        case .string(let text): (type, value) = ("string", .string(text))
        case .strings(let list): (type, value) = ("string[]", .array(list.map { .string($0) }))
        case .bool(let flag): (type, value) = ("bool", .bool(flag))
        case .integer(let number): (type, value) = ("number", .integer(number))
        case .null: (type, value) = ("string", .null)
        case .unknown(let unknown, _): (type, value) = (unknown, .null)
        }
        return [
            "name": .string(expectation.name), "type": .string(type),
            "value": value,
        ]
    }
}

extension CardExpiry {
    /// The PSP's form of the date, on the first day of the month.
    fileprivate var timestamp: String {
        "\(year)-\(month < 10 ? "0" : "")\(month)-01T00:00:00Z"
    }
}
