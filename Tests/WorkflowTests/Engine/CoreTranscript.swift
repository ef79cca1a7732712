import Testing
import WorkflowTesting

@testable import EventLog
@testable import SwedbankPay
@testable import Workflow

/// A transcript of the engine core: its inputs and their times, and its outputs, in short words.
struct CoreTranscript {
    var core: EngineCore<SessionDecider>
    var clock = ManualClock()
    let session: SessionID
    private(set) var performed: [OperationRequest] = []
    private(set) var appends: [PendingAppend<SessionDecider>] = []
    /// When the core is to be woken; `nil` means never.
    private(set) var wakeAt: Instant?
    private var requestCount = 0

    init(
        limits: EngineLimits = EngineLimits(),
        catalogue: ProblemCatalogue = .sample,
        seed: UInt64 = 1
    ) {
        core = EngineCore(
            rules: SessionDecider(catalogue: catalogue),
            limits: limits,
            seed: seed
        )
        session = Self.session(1)
    }

    static func session(_ number: UInt64) -> SessionID {
        SessionID(at: ManualClock.noon, random: (number, number))
    }

    /// The time until then.
    var wake: Duration? { wakeAt.map { $0 - clock.now } }

    var state: SessionState? { core.state(of: session) }

    /// Gives an input to the core, and returns its outputs.
    @discardableResult
    mutating func give(_ input: EngineInput<SessionDecider>) -> [String] {
        var words: [String] = []
        for action in core.handle(input, at: clock.now) {
            switch action {
            case .perform(_, let request): performed.append(request)
            case .append(let append): appends.append(append)
            case .wake(let time):
                wakeAt = time
                continue
            default: break
            }
            words.append(word(action))
        }
        return words
    }

    /// Passes a command or report, numbered from 1.
    @discardableResult
    mutating func ask(_ input: SessionInput) -> [String] {
        requestCount += 1
        return give(.command(session, input, number: requestCount, cause: "test"))
    }

    /// Gives the response to the newest request.
    @discardableResult
    mutating func respond(_ outcome: ProviderResponse.Outcome) -> [String] {
        guard let request = performed.last else { return ["nothing was performed"] }
        return give(.requestEnded(session, request.id, outcome, durationMilliseconds: 50))
    }

    @discardableResult
    mutating func respond(_ snapshot: Snapshot) -> [String] {
        respond(.snapshot(snapshot, status: 200))
    }

    /// Makes the newest append durable.
    @discardableResult
    mutating func durable() -> [String] { give(.appended(session)) }

    @discardableResult
    mutating func granted(_ isGranted: Bool = true) -> [String] {
        give(.lease(session, granted: isGranted))
    }

    /// Advances the time, and wakes the core.
    @discardableResult
    mutating func wait(_ duration: Duration) -> [String] {
        clock.advance(by: duration)
        return give(.timeCame)
    }

    /// Returns the session as another writer of the same log would have it after an input.
    func elsewhere(_ input: SessionInput) throws -> SessionState {
        var next = state ?? SessionState(session: session)
        for event in try core.rules.decide(input, in: next, at: clock.now) {
            next.apply(event, at: clock.now)
        }
        return next
    }

    /// Opens a session and continues until the client has the methods.
    mutating func becomeReady(_ snapshot: Snapshot = .withSwishAndCard, watched: Bool = true) {
        give(.loaded(SessionState(session: session), isWatched: watched))
        ask(.command(.open(.sample())))
        durable()
        granted()
        respond(.unprepared)
        durable()
        respond(snapshot)
        durable()
    }

    private func word(_ action: EngineAction<SessionDecider>) -> String {
        switch action {
        case .load(_, let place): "load after \(place)"
        case .append(let append):
            "append after \(append.expectedVersion): "
                + append.events.map(\.typeName).joined(separator: ", ")
        case .perform(_, let request): "perform \(request.rel.rawValue) \(request.id.rawValue)"
        case .cancel(_, let effect): "cancel \(effect.rawValue)"
        case .acquireLease: "ask for the lease"
        case .releaseLease: "give the lease back"
        case .handOverLeases(let sessions): "hand over \(sessions.count)"
        case .reply(let number, let result): "reply \(number): \(word(result))"
        case .publish(let state, let before): "publish \(before) to \(state.sequence)"
        case .report(_, let error): "report \(error.code)"
        case .wake: "wake"
        case .park: "park"
        }
    }

    private func word(_ result: RequestResult<SessionDecider>) -> String {
        switch result {
        case .accepted(let state): "accepted at \(state.sequence)"
        case .rejected(let rejection): rejection.code
        case .failed(let error): error.code
        case .stopping: "stopping"
        case .overloaded: "overloaded"
        }
    }
}
