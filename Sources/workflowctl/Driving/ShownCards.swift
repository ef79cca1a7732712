internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// Which list of saved cards each session was shown with last, so that a rank means the card that whoever chose it saw.
///
/// A command is a process of its own: what it printed, the next one knows from a small file beside the store. It holds no
/// secret, only how far each log went when its list was printed. Where it is missing, can't be read or was lost, a rank is
/// held to the strictest: it is refused once another card ever stood there.
struct ShownCards: Sendable {
    /// The file.
    let path: String

    /// How many sessions are remembered, the newest ones.
    static let sessionLimit = 1000
    /// The most bytes of the file.
    static let byteLimit = 1 << 18

    /// What is remembered beside a store.
    init(beside location: StoreLocation) { path = location.path + ".shown" }

    /// The sequence number of the log when the session's list was printed last; nil when that is not known.
    func sequence(of session: SessionID) -> Int64? {
        entries.last { $0.session == "\(session)" }?.sequence
    }

    /// Remembers that a view was printed, where it lists saved cards to choose from.
    ///
    /// What can't be written is not remembered: reading a session never fails for it.
    func remember(_ view: SessionView) {
        guard view.outcome == nil, view.attempt == nil,
            view.methods.contains(where: { $0.instrument == .card && !$0.prefills.isEmpty })
        else { return }
        let session = "\(view.session)"
        let known = entries
        guard known.last?.session != session || known.last?.sequence != view.lastSeq else { return }
        let kept = known.filter { $0.session != session }.suffix(Self.sessionLimit - 1)
        let list = kept + [Entry(session: session, sequence: view.lastSeq)]
        let document = JSONValue.object([
            .init(
                "shown",
                .array(
                    list.map {
                        [
                            "session": .string($0.session),
                            "seq": .integer($0.sequence),
                        ]
                    }
                )
            )
        ])
        try? FileBytes.replace(path, with: Array(JSONDocument.text(document).utf8))
    }

    private struct Entry {
        var session: String
        var sequence: Int64
    }

    private var entries: [Entry] {
        guard let bytes = try? FileBytes.read(path, limit: Self.byteLimit),
            let document = try? JSONValue(parsing: bytes),
            case .array(let list)? = document["shown"]
        else { return [] }
        return list.compactMap { entry in
            guard case .string(let session)? = entry["session"],
                case .integer(let sequence)? = entry["seq"]
            else { return nil }
            return Entry(session: session, sequence: sequence)
        }
    }
}

extension Driver {
    /// A request in which a rank means the list that was printed last.
    func fromShownList(
        _ request: AttemptRequest,
        of session: SessionID
    ) async throws(EngineError) -> AttemptRequest {
        guard case .card(.ranked(let place)) = request, place.seenAt == nil,
            let seenAt = shown.sequence(of: session)
        else { return request }
        // A log that is shorter than what was printed of it is another one, as after a restored backup.
        guard try await engine.state(of: session).sequence >= seenAt else { return request }
        return .card(rank: place.rank, seenAt: seenAt)
    }
}
