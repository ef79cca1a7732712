internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// Remembers which list of saved cards was printed last for each session, so that a rank refers to
/// the card that the caller saw.
///
/// Every command is a process of its own, so the lists are remembered in a small file beside the
/// store. It contains no secret, only the sequence number of each log when its list was printed.
/// Where the file is missing or cannot be read, a rank is refused if another card ever had it.
struct ShownCards: Sendable {
    /// The path of the file.
    let path: String

    /// The maximum number of sessions; the oldest entries are dropped.
    static let sessionLimit = 1000
    /// The maximum size of the file in bytes.
    static let byteLimit = 1 << 18

    /// Refers to the file beside a store.
    init(beside location: StoreLocation) { path = location.path + ".shown" }

    /// Returns the sequence number at which the session's list was printed last; `nil` when it is
    /// not known.
    func sequence(of session: SessionID) -> Int64? {
        entries.last { $0.session == "\(session)" }?.sequence
    }

    /// Remembers that a view was printed, if it lists saved cards to choose from.
    ///
    /// A write error is ignored, because reading a session must not fail for it.
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
    /// Returns a request in which a rank refers to the list that was printed last.
    func fromShownList(
        _ request: AttemptRequest,
        of session: SessionID
    ) async throws(EngineError) -> AttemptRequest {
        guard case .card(.ranked(let place)) = request, place.seenAt == nil,
            let seenAt = shown.sequence(of: session)
        else { return request }
        // A log that is shorter than the printed one has been replaced, for example by restoring a
        // backup.
        guard try await engine.state(of: session).sequence >= seenAt else { return request }
        return .card(rank: place.rank, seenAt: seenAt)
    }
}
