internal import Adapters
internal import EventLog
internal import Inspection

/// When `retention --apply` last ran on this machine, in a file beside the store.
struct RetentionMemory: Sendable {
    /// The maximum size of the file, in bytes.
    private static let bytesLimit = 64

    private let path: String

    /// The memory of a store.
    init(of location: StoreLocation) { path = location.retentionFile }

    /// When it last ran; `nil` when no run is known.
    func lastRun() -> Instant? {
        guard FileFacts(path: path) != nil,
            let bytes = try? FileBytes.read(path, limit: Self.bytesLimit)
        else { return nil }
        return Instant(String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace })
    }

    /// Records a run.
    func remember(_ now: Instant) throws(Failure) {
        try FileBytes.replace(path, with: Array("\(now)\n".utf8))
    }
}

extension StoreLocation {
    /// The file with the time of the last run of `retention --apply`.
    var retentionFile: String { path + kind.database + ".retention" }
}

extension Failure {
    /// Explains why a retention run was stopped.
    init(_ refusal: RetentionGuard.Refusal) {
        switch refusal {
        case .clockAhead(let lead):
            self.init(
                .refused,
                "retention.clock-ahead",
                "this machine's clock is \(lead.spoken) ahead of the last run, of the newest record and of "
                    + "the database server; nothing was erased",
                hint: "compare the clock; if it is right, add --trust-clock"
            )
        case .tooMany(let count, let all):
            self.init(
                .refused,
                "retention.too-many",
                "\(count) of \(all) sessions would be erased at once; nothing was erased",
                hint: "check the period and the clock; to erase them, add --many or use --limit"
            )
        }
    }

    /// Explains that rows proposed sessions whose logs do not show that they are due.
    static func unproven(_ left: [SessionID: DueRule.Refusal]) -> Failure? {
        let sessions = left.filter { $0.value != .imported }.keys.sorted()
        guard let first = sessions.first else { return nil }
        return Failure(
            .damaged,
            "log.not-authentic",
            "\(sessions.count) session\(sessions.count == 1 ? "" : "s") whose index entry says that it is due "
                + "\(sessions.count == 1 ? "was" : "were") not erased, because the log does not show it with valid "
                + "MACs; the first is \(first)",
            hint: "run 'workflowctl verify \(first)', and find out who wrote to the store"
        )
    }
}
