import FoundationEssentials

/// A telemetry event that a client sent through `event-logging`.
public struct ClientEvent: Sendable, Equatable, Codable {
    /// The position in the order's telemetry, from 1.
    public let sequence: Int
    /// When it arrived, ISO 8601 in UTC.
    public let at: String
    /// The action, such as `HttpRequest`.
    public let action: String
    /// The whole event as JSON text.
    public let body: String
}

/// The telemetry of one order.
struct ClientEventBook: Sendable {
    /// The maximum number of events of an order; older ones are dropped.
    static let limit = 2000

    private(set) var events: [ClientEvent] = []
    private var sequence = 0

    mutating func append(action: String, body: JSON, at date: Date) {
        sequence += 1
        if events.count >= Self.limit { events.removeFirst() }
        events.append(
            ClientEvent(
                sequence: sequence,
                at: Timestamp.text(date),
                action: action,
                body: String(decoding: body.bytes, as: UTF8.self)
            )
        )
    }
}

extension RequestBodies {
    /// The actions that describe an HTTP exchange.
    private static let exchanges: Set<String> = [
        "HttpRequest", "SCAMethodRequest", "SCARedirectResult",
    ]

    /// The actions that describe a call between host and client.
    private static let calls: Set<String> = ["SDKMethodInvoked", "SDKCallbackInvoked"]

    /// Validates a telemetry event and returns its action.
    ///
    /// - Note: Source: event logging of the payment session API: body schema and event catalogue.
    static func eventLogging(_ body: JSON) throws(ProblemDetail) -> String {
        var reader = BodyReader(body)
        let type = reader.string("type")
        if !type.isEmpty, !["ClientEvent", "ClientSla", "RemoteSla"].contains(type) {
            reader.refuse("type", "must be ClientEvent")
        }
        client(&reader)
        _ = reader.string("service.name")
        _ = reader.string("service.version")
        let created = reader.string("event.created")
        if !created.isEmpty, !isTimestamp(created) {
            reader.refuse("event.created", "must be an ISO 8601 time")
        }
        let action = reader.string("event.action")
        if reader.has("event.duration") || exchanges.contains(action) {
            reader.lenientInteger("event.duration")
        }
        if exchanges.contains(action) {
            _ = reader.string("http.requestUrl")
            _ = reader.string("http.method")
            _ = reader.optionalInteger("http.responseStatusCode")
        }
        if calls.contains(action) {
            _ = reader.string("method.name")
            _ = reader.string("method.sdk")
            _ = reader.bool("method.succeeded")
        }
        extensions(&reader)
        try reader.finish()
        return action
    }

    private static func extensions(_ reader: inout BodyReader) {
        guard let values = reader.value("extensions.values") else { return }
        guard case .object(let members) = values else {
            return reader.refuse("extensions.values", "must be a JSON object")
        }
        for (name, value) in members.sorted(by: { $0.key < $1.key })
        where value.text == nil && value != .null {
            reader.refuse("extensions.values.\(name)", "must be a string or null")
        }
    }

    /// Whether the text begins like `2026-01-15T14:05:09`.
    private static func isTimestamp(_ text: String) -> Bool {
        let pattern = Array("dddd-dd-ddTdd:dd:dd".utf8)
        let bytes = Array(text.utf8)
        guard bytes.count >= pattern.count else { return false }
        return zip(bytes, pattern).allSatisfy { byte, wanted in
            wanted == UInt8(ascii: "d") ? (0x30...0x39).contains(byte) : byte == wanted
        }
    }
}
