import EventLog
import Workflow

/// A request to the theatre: to hold a seat, or to read whether it does.
struct SeatRequest: WorkflowRequest {
    enum Kind: String { case hold, read }
    var id: EffectID
    var kind: Kind
    var seat: String
    var notBefore: Instant?
    var onlyReads: Bool { kind == .read }
}

/// The outcome of a request.
enum SeatOutcome: RequestOutcome {
    case holds(Bool), soldOut
    case failed(isUnknown: Bool, isLost: Bool = false, wait: Duration? = nil)
    var isUnknown: Bool { if case .failed(true, _, _) = self { true } else { false } }
    var isLost: Bool { if case .failed(_, true, _) = self { true } else { false } }
    var requestedDelay: Duration? { if case .failed(_, _, let wait) = self { wait } else { nil } }
}

enum SeatCommand: Hashable { case book(seat: String), confirm }
enum SeatTimer: String, WorkflowTimer { case lapse }
enum SeatRejection: String, WorkflowRejection {
    case notOpen = "seat.not-open"
    case notHeld = "seat.not-held"
}

struct SeatState: WorkflowState, Hashable {
    let session: SessionID
    var (sequence, seat): (SequenceNumber, String) = (0, "")
    var (lastAt, openedAt) = (Instant(microseconds: 0), Instant(microseconds: 0))
    var heldAt: Instant?
    var ending: String?
    var requests = RequestLedger<
        StartedRequest<SeatRequest.Kind>, FailedRequest<SeatRequest.Kind>, Never
    >()
    var isOver: Bool { ending != nil }
    init(session: SessionID) { self.session = session }
}

/// Holds a seat at the theatre once, and releases it unless the guest confirms in time.
struct SeatRules: WorkflowRules {
    typealias State = SeatState
    typealias Event = SeatEvent
    typealias Input = WorkflowMessage<SeatCommand, SeatOutcome, SeatTimer>
    typealias Request = SeatRequest
    typealias Rejection = SeatRejection
    /// How long a sent request may still take effect, and how long the seat is held.
    var (horizon, patience) = (Duration.seconds(35), Duration.seconds(300))

    func next(in state: SeatState) -> NextStep<SeatRules> {
        guard !state.seat.isEmpty, state.heldAt == nil, !state.isOver,
            let (id, onlyReads, notBefore) = state.requests.nextRequest
        else { return .rest }
        let kind = onlyReads ? SeatRequest.Kind.read : .hold
        return .request(SeatRequest(id: id, kind: kind, seat: state.seat, notBefore: notBefore))
    }

    func facts(
        of input: Input,
        in state: SeatState,
        next: () -> NextStep<SeatRules>,
        at now: Instant
    ) throws(SeatRejection) -> [SeatEvent] {
        let ledger = state.requests
        switch input {
        case .command(.book(let seat)): return state.seat.isEmpty ? [.wanted(seat: seat)] : []
        case .command(.confirm):
            guard !state.isOver else { return [] }
            guard state.heldAt != nil else { throw .notHeld }
            return [.ended(how: "confirmed")]
        case .starting(let effect):
            return next().requestID == effect ? [.started(StartedRequest(effect, .hold))] : []
        case .requestEnded(let effect, let outcome, _, let retryAt):
            guard ledger.awaits(effect, next: next().requestID) else { return [] }
            switch outcome {
            case .holds(let isHeld): return [isHeld ? .held : .foundNone]
            case .soldOut: return [.ended(how: "soldOut")]
            case .failed: return [.failed(ledger.failure(of: effect, outcome, .read, retryAt))]
            }
        case .interrupted(let effect, let retryAt):
            let failure = ledger.interruption(of: effect, retryAt: retryAt, within: horizon)
            return failure.map { [.failed($0)] } ?? []
        case .timerFired(.lapse): return state.isOver ? [] : [.ended(how: "lapsed")]
        case .resumed: return []
        }
    }

    func evolve(_ state: inout SeatState, by event: SeatEvent, at time: Instant) {
        (state.sequence, state.lastAt) = (state.sequence + 1, time)
        switch event {
        case .wanted(let seat):
            (state.seat, state.openedAt) = (seat, time)
            // Nothing was sent, so there is nothing to read before the first request.
            state.requests.clearNeed()
        case .started(let start): state.requests.started(start, at: time, sequence: state.sequence)
        case .failed(let failure): state.requests.failed(failure, at: time)
        case .foundNone: state.requests.responded(at: time, byReading: true)
        case .held: (state.heldAt, _) = (time, state.requests.ended())
        case .ended(let how): (state.ending, _) = (how, state.requests.ended())
        case .unknown: break
        }
    }

    func timers(in state: SeatState) -> [(timer: SeatTimer, until: Instant)] {
        guard let heldAt = state.heldAt, !state.isOver else { return [] }
        return [(.lapse, heldAt + patience)]
    }
}
