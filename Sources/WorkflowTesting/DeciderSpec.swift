public import EventLog
public import SwedbankPay
public import Workflow

/// Given what happened, when something reaches a payment, then these are the facts and this is owed.
///
/// A value: each step gives a new one, so a common beginning can be kept and continued in several ways. After each
/// step it also checks what must always hold: the fold of the log is the live state and owes the same, at most one
/// request is owed, none while one is under way, and nothing follows the end.
///
///     spec.given(.opened(.sample()))
///         .when(answer: .withSwish)
///         .when(.attempt(.swish(msisdn: nil)))
///         .owes(.expandMethod)
public struct DeciderSpec: Sendable {
    /// Takes the description of what did not come true, and where it was expected.
    public typealias Reporter = @Sendable (String, SpecPlace) -> Void

    /// The rules.
    public var decider: SessionDecider
    /// The time.
    public var clock: ManualClock
    /// The live state.
    public internal(set) var state: SessionState
    /// All events so far, with their times.
    public internal(set) var log: [(event: SessionEvent, at: Instant)] = []
    /// What the newest input led to.
    public internal(set) var newest: [SessionEvent] = []
    /// How the newest input was refused.
    public internal(set) var rejection: Rejection?
    /// The requests that were made, in order.
    public internal(set) var requests: [(call: OperationCall, at: Instant)] = []
    /// Whether the whole log is folded again after each step; long random histories do it once, at their end.
    public var foldsEachStep = true
    let report: Reporter

    /// How long a sample request takes.
    public static let answerTime = Duration.milliseconds(50)
    /// How long after a failure a sample request is to go on.
    public static let retryPause = Duration.seconds(1)

    /// A payment that nothing has happened in.
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

    /// Takes events as having happened.
    public func given(_ events: SessionEvent...) -> DeciderSpec {
        var next = self
        next.append(events)
        return next
    }

    /// Lets an input reach the payment.
    public func when(
        _ input: SessionInput,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) -> DeciderSpec {
        var next = self
        next.take(input, at: SpecPlace(fileID, filePath, line, column))
        return next
    }

    /// Lets a command reach the payment.
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

    /// Lets time pass; nothing fires by itself.
    public func after(_ duration: Duration) -> DeciderSpec {
        var next = self
        next.clock.advance(by: duration)
        return next
    }

    mutating func take(_ input: SessionInput, at place: SpecPlace) {
        let now = max(clock.now, state.lastAt)
        let wasOver = state.outcome
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

    /// Checks that the fold of the log is the live state, and owes the same.
    func checkFold(at place: SpecPlace) {
        var folded = SessionState(session: state.session)
        for entry in log { folded.apply(entry.event, at: entry.at) }
        if folded != state { report("the fold of the log is not the live state", place) }
        if decider.effects(owedBy: folded) != decider.effects(owedBy: state)
            || decider.isSettled(folded) != decider.isSettled(state)
        {
            report("the fold of the log owes something else", place)
        }
    }

    private func checkInvariants(wasOver: Outcome?, at place: SpecPlace) {
        if foldsEachStep { checkFold(at: place) }
        let owed = decider.effects(owedBy: state)
        let calls = owed.calls
        if calls.count > 1 { report("\(calls.count) requests are owed at once", place) }
        if state.running != nil, !calls.isEmpty {
            report("a request is owed while one is under way", place)
        }
        if let wasOver, state.outcome != wasOver {
            report("the end \(wasOver) was changed", place)
        }
        // Of a checkout's order money is captured and given back after the end.
        if state.outcome != nil, !owed.isEmpty, state.checkout == nil {
            report("something is owed after the end", place)
        }
        if !log.isEmpty, let owedFacts = try? decider.decide(.resumed, in: state, at: state.lastAt),
            !owedFacts.isEmpty
        {
            report("facts follow from the state that nobody recorded: \(owedFacts)", place)
        }
    }
}

/// A place in the source of a test.
public struct SpecPlace: Hashable, Sendable {
    /// Module and file.
    public var fileID: String
    /// The file's path.
    public var filePath: String
    /// The line, from 1.
    public var line: Int
    /// The column, from 1.
    public var column: Int

    /// A place.
    public init(_ fileID: String, _ filePath: String, _ line: Int, _ column: Int) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
        self.column = column
    }
}

extension Array where Element == Effect {
    /// The requests among them.
    public var calls: [OperationCall] {
        compactMap { effect in
            if case .call(let call) = effect { call } else { nil }
        }
    }

    /// The timers among them, with their times.
    public var timers: [(timer: SessionTimer, until: Instant)] {
        compactMap { effect in
            if case .wait(let timer, let until) = effect { (timer, until) } else { nil }
        }
    }
}
