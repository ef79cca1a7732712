import FoundationEssentials

/// What an unguessable token in an address leads to.
enum Address: Sendable, Hashable {
    case session(order: String)
    case operation(order: String, OperationKey)
    case script(order: String)
    case challenge(order: String)
    case notification(order: String)
    case swish(order: String, attempt: Int)
    /// A Swish payment that only a scenario's literal answers know.
    case scriptedSwish(order: String)
    /// The hosted payment menu.
    case menu(order: String)
    /// The page of a bank or wallet that a method of the menu leaves to.
    case bank(order: String)
}

/// The moment at which something is asked of an order.
struct Moment: Sendable {
    let now: ContinuousClock.Instant
    let date: Date
}

/// How long the stand-ins take.
struct Timing: Sendable {
    let swishOtherDevice: Duration?
    let swishThisDevice: Duration?
    let challenge: Duration
}

/// One payment order and its session: a state machine without I/O.
///
/// Time comes in with each call; what has become due by then happens first, in ``settle(at:)``.
struct PaymentOrder: Sendable {
    /// How the order ended.
    enum Outcome: Sendable, Equatable {
        case paid(attempt: Int)
        case aborted(reason: String)
        case failed
    }

    /// A failed attempt that the payer has to be told about.
    struct ShownProblem: Sendable {
        let attempt: Int
        let problem: ProblemDetail
    }

    let id: String
    /// The PSP's number of the order.
    let number: Int
    let baseURL: String
    let sessionToken: String
    let scriptToken = OpaqueToken.make()
    let menuToken = OpaqueToken.make()
    let traceID = OpaqueToken.identifier()
    let request: SandboxOrder
    let timing: Timing
    /// The enabled methods, in the order in which they are offered.
    let methods: [String]
    let cards: [SavedCard]
    let created: Date

    var updated: Date
    var isPrepared = false
    var expanded: String?
    var instrumentMode: String?
    var restriction: [String]?
    /// The hosted payment menu, as the payer left it.
    var menu: Menu
    var attempts: [Attempt] = []
    /// How many attempts were ever under way at the same time.
    var mostAttemptsAtOnce = 0
    var shownProblem: ShownProblem?
    /// The problem with which the attempt under way ends instead of being paid.
    var imposedProblem: ProblemDetail?
    var outcome: Outcome?
    var faults: FaultPlan
    var script: ScriptPlan
    /// The values that literal answers have mentioned, by their names.
    var scriptedTokens: [String: String] = [:]
    var scriptedChallenges: [Int: Challenge] = [:]
    /// The telemetry that the client sent.
    var clientEvents = ClientEventBook()
    /// How often each operation was called.
    var calls: [String: Int] = [:]

    private var tokens: [OperationKey: String] = [:]
    /// Tokens that nobody can find yet.
    private var issued: [(token: String, address: Address)] = []

    init(
        id: String,
        number: Int,
        baseURL: String,
        request: SandboxOrder,
        timing: Timing,
        methods: [String],
        cards: [SavedCard],
        created: Date
    ) {
        self.id = id
        self.number = number
        self.baseURL = baseURL
        self.sessionToken = OpaqueToken.make()
        self.request = request
        self.timing = timing
        self.methods = methods
        self.cards = cards
        self.created = created
        self.updated = created
        self.faults = FaultPlan(request.scenario.faults)
        self.script = ScriptPlan(request.scenario.script)
        self.instrumentMode = request.instrument
        self.restriction = Self.restriction(request.restrictedToInstruments, of: methods)
        self.menu = Menu(of: request)
        issued = [
            (sessionToken, .session(order: id)), (scriptToken, .script(order: id)),
            (menuToken, .menu(order: id)),
        ]
    }

    /// The secret address of the session.
    var sessionURL: String {
        "\(baseURL)/psp/paymentsessions/\(sessionToken)?_tc_tid=\(traceID)"
    }

    /// The order's status in the PSP's words.
    var status: String {
        switch outcome {
        case nil: "Initialized"
        case .paid: "Paid"
        case .aborted: "Aborted"
        case .failed: "Failed"
        }
    }

    /// The attempt under way, the newest one when a scenario lets several run.
    var runningIndex: Int? { attempts.lastIndex { $0.isRunning } }

    /// The methods a client may choose now.
    var visibleMethods: [String] {
        if let instrumentMode { return [instrumentMode] }
        guard let restriction else { return methods }
        return methods.filter { restriction.contains($0) }
    }

    /// The token of an operation: the same one for as long as the operation stays on offer.
    mutating func token(for key: OperationKey) -> String {
        if let token = tokens[key] { return token }
        let token = OpaqueToken.make()
        tokens[key] = token
        issue(token, .operation(order: id, key))
        return token
    }

    /// Makes an address reachable.
    mutating func issue(_ token: String, _ address: Address) {
        issued.append((token, address))
    }

    /// Hands over the tokens that became reachable since the last time.
    mutating func takeIssued() -> [(token: String, address: Address)] {
        defer { issued = [] }
        return issued
    }
}
