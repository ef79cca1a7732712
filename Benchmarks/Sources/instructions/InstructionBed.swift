internal import Adapters
internal import EventLog
internal import Foundation
internal import Inspection
internal import SwedbankPay

/// The work to count.
enum Work: String, CaseIterable {
    /// Encoding and hashing each event.
    case encode
    /// Reading events from records, as when a log is folded.
    case decode
    /// Folding events.
    case fold
    /// The fold, and the pending effects after each event, as an engine requests them.
    case step
    /// Computing the row of the session index after each event.
    case summary
    /// Appending each event to a SQLite file, in a transaction of its own.
    case append
    /// Every decision repeated.
    case check
}

/// A log and its records in memory.
struct InstructionBed {
    let events: [RecordedEvent]
    private let records: [StoredRecord]
    private let session: SessionID
    private let decider = SessionDecider(catalogue: .bundled)
    /// The rows of the session after each record; only appends need them.
    private let rows: [SessionSummary]
    /// The store of the appends; its threads would disturb the counts of other work.
    private let store: AppendStore?

    /// The work gave a wrong result.
    struct WrongResult: Error {}

    init(of path: String, for work: Work) throws {
        records = try Data(contentsOf: URL(fileURLWithPath: path)).split(separator: 0x0A).map {
            try LogLine.decode(Array($0))
        }
        events = try records.map { try RecordReader.event(in: $0) }
        guard let session = events.first?.stream else { throw WrongResult() }
        self.session = session
        var state = SessionState(session: session)
        var rows: [SessionSummary] = []
        for event in events where work == .append {
            state.apply(event.event, at: event.at)
            rows.append(decider.summary(of: state))
        }
        self.rows = rows
        store = work == .append ? try AppendStore() : nil
    }

    /// Performs the work once, and checks its result.
    func perform(_ work: Work) throws {
        switch work {
        case .encode:
            var last = Digest256.zero
            for event in events {
                last = HashChain.hash(last, EventCodec.encode(event).canonical)
            }
            guard last != .zero else { throw WrongResult() }
        case .decode:
            for record in records {
                let event = try RecordReader.event(in: record)
                guard event.stream == session else { throw WrongResult() }
            }
        case .fold:
            guard SessionState.folding(events, of: session).outcome != nil else {
                throw WrongResult()
            }
        case .step:
            var state = SessionState(session: session)
            var effects = 0
            for event in events {
                state.apply(event.event, at: event.at)
                effects += decider.pendingEffects(of: state).count
            }
            guard effects > 0 else { throw WrongResult() }
        case .summary:
            var state = SessionState(session: session)
            for event in events {
                state.apply(event.event, at: event.at)
                guard decider.summary(of: state).session == session else { throw WrongResult() }
            }
        case .append:
            guard try store?.append(records, with: rows) == records.count else {
                throw WrongResult()
            }
        case .check:
            var check = ReplayCheck(of: session, by: decider)
            for (index, event) in events.enumerated() {
                let following = index + 1 < events.count ? events[index + 1].event : nil
                try check.verify(event, followedBy: following)
            }
            try check.finish()
        }
    }
}
