internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// Remembers which list of saved cards was printed last for each session, so that a rank means the
/// card that the caller saw.
///
/// Each command is a separate process, so this is kept in a small file beside the store. It
/// contains no secret, only the sequence number at which each list was printed. Where the file is
/// missing or unreadable, the strictest rule applies: a rank is refused once another card ever had
/// it.
struct ShownCards: Sendable {
    /// The path of the file.
    let path: String

    /// The number of sessions remembered, the newest ones.
    static let sessionLimit = 1000
    /// The maximum size of the file, in bytes.
    static let byteLimit = 1 << 18

    /// Creates the file's reader beside a store.
    init(beside location: StoreLocation) { path = location.path + ".shown" }

    /// The sequence number at which the session's list was last printed; `nil` when it is unknown.
    func sequence(of session: SessionID) -> SequenceNumber? {
        entries.last { $0.session == "\(session)" }?.sequence
    }

    /// Remembers that a view was printed, if it lists saved cards to choose from.
    ///
    /// A failure to write is ignored: it must not make reading a session fail.
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
                            "seq": .sequence($0.sequence),
                        ]
                    }
                )
            )
        ])
        try? FileBytes.replace(path, with: Array(JSONDocument.text(document).utf8))
    }

    private struct Entry {
        var session: String
        var sequence: SequenceNumber
    }

    private var entries: [Entry] {
        guard let bytes = try? FileBytes.readBeside(path, limit: Self.byteLimit),
            let document = try? JSONValue(parsing: bytes),
            case .array(let list)? = document["shown"]
        else { return [] }
        return list.compactMap { entry in
            guard case .string(let session)? = entry["session"],
                case .integer(let sequence)? = entry["seq"]
            else { return nil }
            return Entry(session: session, sequence: SequenceNumber(rawValue: sequence))
        }
    }
}

extension Driver {
    /// Returns a request in which a rank refers to the list that was printed last.
    func fromShownList(
        _ request: AttemptRequest,
        of session: SessionID
    ) async throws(EngineError) -> AttemptRequest {
        guard case .card(.ranked(let place)) = request, place.seenAt == nil,
            let seenAt = shown.sequence(of: session)
        else { return request }
        // A log that is shorter than when its list was printed is a different one, as after a
        // restored backup.
        guard try await engine.state(of: session).sequence >= seenAt else { return request }
        return .card(rank: place.rank, seenAt: seenAt)
    }
}
