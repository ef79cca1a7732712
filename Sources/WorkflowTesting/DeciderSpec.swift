public import EventLog
public import SwedbankPay
public import Workflow

/// A test in the form given, when, then: given these events, when an input arrives, then these
/// events and pending effects follow.
///
/// It is a value: each step returns a new one, so a common beginning can be kept and continued in
/// several ways. After each step it also checks what must always hold: the fold of the log equals
/// the live state and has the same pending effects, at most one request is pending, none while one
/// is under way, and nothing that changes a session is pending after its end.
///
/// ```swift
/// spec.given(.opened(.sample()))
///     .when(response: .withSwish)
///     .when(.attempt(.swish(msisdn: nil)))
///     .hasPending(.expandMethod)
/// ```
public struct DeciderSpec: Sendable {
    /// Receives the description of a failed expectation, and its source location.
    public typealias Reporter = @Sendable (String, SpecLocation) -> Void

    /// The rules.
    public var decider: SessionDecider
    /// The time.
    public var clock: ManualClock
    /// The live state.
    public internal(set) var state: SessionState
    /// All events so far, with their times.
    public internal(set) var log: [(event: SessionEvent, at: Instant)] = []
    /// The events of the newest input.
    public internal(set) var newest: [SessionEvent] = []
    /// The rejection of the newest input.
    public internal(set) var rejection: Rejection?
    /// The requests that were started, in order.
    public internal(set) var requests: [(sent: OperationRequest, at: Instant)] = []
    /// The newest input, its newest action before it, and the newest failure of a request.
    var given = ExpectedEvent.Given(sequence: .first)
    /// Whether the whole log is folded after each step; long random histories fold it once, at
    /// their end.
    public var foldsEachStep = true
    let report: Reporter

    /// The duration of a sample request.
    public static let responseTime = Duration.milliseconds(50)
    /// The pause after a failure before a sample request may be retried.
    public static let retryPause = Duration.seconds(1)

    /// Creates a payment without events.
    public init(
        decider: SessionDecider = SessionDecider(catalogue: .sample),
        clock: ManualClock = ManualClock(),
        reporter: @escaping Reporter
    ) {
        self.decider = decider
        self.clock = clock
        state = SessionState(session: SessionID(at: clock.now, random: (1, 2)))
        report = reporter
    }

    /// Appends events as given.
    public func given(_ events: SessionEvent...) -> DeciderSpec {
        var next = self
        next.append(events)
        return next
    }

    /// Applies an input.
    public func when(
        _ input: SessionInput,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) -> DeciderSpec {
        var next = self
        next.process(input, at: SpecLocation(fileID, filePath, line, column))
        return next
    }

    /// Applies a command.
    public func when(
        _ command: SessionCommand,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) -> DeciderSpec {
        when(
            .command(command),
            fileID: fileID,
            filePath: filePath,
            line: line,
            column: column
        )
    }

    /// Advances the clock; no timer fires.
    public func after(_ duration: Duration) -> DeciderSpec {
        var next = self
        next.clock.advance(by: duration)
        return next
    }

    mutating func process(_ input: SessionInput, at place: SpecLocation) {
        let now = max(clock.now, state.lastAt)
        let wasOver = state.outcome
        given.input = input
        given.action = state.actions.last?.id
        given.sequence = SequenceNumber(log.count + 1)
        switch given.response {
        case .refused, .failed: given.failure = given.response
        default: break
        }
        do {
            newest = []
            rejection = nil
            newest = try decider.decide(input, in: state, at: now)
        } catch {
            rejection = error
        }
        append(newest)
        if newest.count >= 32 { report("\(newest.count) events from one input", place) }
        checkInvariants(wasOver: wasOver, at: place)
    }

    private mutating func append(_ events: [SessionEvent]) {
        let now = max(clock.now, state.lastAt)
        for event in events {
            state.apply(event, at: now)
            log.append((event, now))
        }
    }

    /// Checks that the fold of the log equals the live state and has the same pending effects.
    func checkFold(at place: SpecLocation) {
        var folded = SessionState(session: state.session)
        for entry in log { folded.apply(entry.event, at: entry.at) }
        if folded != state { report("the fold of the log differs from the live state", place) }
        if decider.pendingEffects(of: folded) != decider.pendingEffects(of: state)
            || decider.isSettled(folded) != decider.isSettled(state)
        {
            report("the fold of the log has other pending effects", place)
        }
    }

    private func checkInvariants(wasOver: Outcome?, at place: SpecLocation) {
        if foldsEachStep { checkFold(at: place) }
        let pending = decider.pendingEffects(of: state)
        let requests = pending.requests
        if requests.count > 1 { report("\(requests.count) requests are pending at once", place) }
        if state.running != nil, !requests.isEmpty {
            report("a request is pending while another is under way", place)
        }
        if let wasOver, state.outcome != wasOver {
            report("the outcome \(wasOver) was changed", place)
        }
        // The money of a checkout's order may be captured and reversed after the end, and a session
        // may be read again.
        if state.outcome != nil, state.checkout == nil,
            pending.requests.contains(where: { !$0.onlyReads })
        {
            report("a request that changes something is pending after the end", place)
        }
        if !log.isEmpty, let owedFacts = try? decider.decide(.resumed, in: state, at: state.lastAt),
            !owedFacts.isEmpty
        {
            report("the state implies facts that were not recorded: \(owedFacts)", place)
        }
    }
}

/// A source location in a test.
public struct SpecLocation: Hashable, Sendable {
    /// The module and the file.
    public var fileID: String
    /// The file's path.
    public var filePath: String
    /// The line, from 1.
    public var line: Int
    /// The column, from 1.
    public var column: Int

    /// Creates a location.
    public init(_ fileID: String, _ filePath: String, _ line: Int, _ column: Int) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
        self.column = column
    }
}

extension Array where Element == Effect {
    /// The requests among the effects.
    public var requests: [OperationRequest] {
        compactMap { effect in
            if case .request(let request) = effect { request } else { nil }
        }
    }

    /// The timers among the effects, with their times.
    public var timers: [(timer: SessionTimer, until: Instant)] {
        compactMap { effect in
            if case .wait(let timer, let until) = effect { (timer, until) } else { nil }
        }
    }
}
