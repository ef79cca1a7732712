internal import EventLog
internal import Inspection
internal import SwedbankPay

/// What an endpoint has been sent, as a file keeps it: the position in the log, and the sessions
/// whose messages before it were not accepted.
struct WebhookState: Hashable, Sendable {
    /// The last record that was read; `nil` before the first.
    var mark: OutboxMark?
    /// The sessions with records up to there that were not sent.
    var queue = WebhookQueue()

    /// The maximum number of bytes of a state: of several thousand sessions.
    static let bytesLimit = LogCursor.maximumTextLength + (1 << 20)

    /// A state in which nothing was read.
    init() {}

    /// A state with these members.
    init(mark: OutboxMark?, queue: WebhookQueue) { (self.mark, self.queue) = (mark, queue) }

    /// The state as the text of a file.
    var text: String {
        let sessions = queue.entries.sorted { $0.key < $1.key }.map { session, entry in
            JSONValue.object([
                .init("session", .string("\(session)")),
                .init("seq", .sequence(entry.place.sequence)),
                .init("sent", .integer(Int64(entry.place.notices))),
                .init("last", .sequence(entry.last)),
                .init("tries", .integer(Int64(entry.tries))),
                .init("due", .string("\(entry.due)")),
            ])
        }
        return JSONDocument.text([
            "position": JSONValue(mark?.text), "sessions": .array(sessions),
        ]) + "\n"
    }

    /// Reads the text of a file; `nil` for anything else.
    init?(parsing bytes: [UInt8]) {
        guard let json = try? JSONValue(parsing: bytes), let position = json["position"],
            case .array(let sessions)? = json["sessions"]
        else { return nil }
        switch position {
        case .null: mark = nil
        case .string(let text):
            guard let mark = OutboxMark(parsing: Array(text.utf8)) else { return nil }
            self.mark = mark
        default: return nil
        }
        var entries: [SessionID: WebhookQueue.Entry] = [:]
        for session in sessions {
            guard case .string(let name)? = session["session"], let id = SessionID(name),
                let sequence = Self.number(session["seq"]), sequence > 0,
                let notices = Self.number(session["sent"]),
                let last = Self.number(session["last"]), last >= sequence,
                let tries = Self.number(session["tries"]),
                case .string(let time)? = session["due"], let due = Instant(time)
            else { return nil }
            entries[id] = WebhookQueue.Entry(
                place: WebhookQueue.Place(
                    sequence: SequenceNumber(rawValue: sequence),
                    notices: Int(notices)
                ),
                last: SequenceNumber(rawValue: last),
                tries: Int(tries),
                due: due
            )
        }
        queue = WebhookQueue(entries)
    }

    private static func number(_ value: JSONValue?) -> Int64? {
        guard case .integer(let number)? = value, number >= 0 else { return nil }
        return number
    }
}

/// The files in which an endpoint's state is kept.
public struct WebhookFiles: Hashable, Sendable {
    /// The file with the position and the sessions that wait.
    public let state: String

    /// The files of an endpoint beside a store.
    ///
    /// - Parameters:
    ///   - store: The path of the store's file, or the base name of the files beside it.
    ///   - name: The name of the endpoint.
    public init(beside store: String, name: String) { state = "\(store).webhook-\(name)" }

    /// The file that exists while the endpoint is disabled; whoever removes it enables it again.
    public var disabled: String { state + ".disabled" }

    /// Whether the endpoint is disabled.
    public var isDisabled: Bool { FileFacts(link: disabled) != nil }

    /// The number of sessions that wait; `nil` when there is no state that can be read.
    package var waiting: Int? {
        let file = SecretFile(path: state, bytesLimit: WebhookState.bytesLimit)
        guard let text = try? file.read() else { return nil }
        return WebhookState(parsing: Array(text.utf8))?.queue.entries.count
    }

    /// Disables the endpoint, and returns whether that is durable.
    func disable(at now: Instant) -> Bool {
        guard let draft = DraftFile(for: disabled) else { return false }
        let text = "The receiver responded with 410 at \(now). Remove this file to send again.\n"
        guard draft.write(Array(text.utf8)), draft.replace() else { return false }
        DraftFile.syncFolder(of: disabled)
        return true
    }
}
