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
    /// Names the script of the menu; a change of the method gives it a new one.
    private(set) var scriptToken = OpaqueToken.make()
    let menuToken = OpaqueToken.make()
    let traceID = OpaqueToken.identifier()
    /// What the merchant asked for, as it was changed since.
    var request: SandboxOrder
    let timing: Timing
    /// The enabled methods, in the order in which they are offered.
    let methods: [String]
    /// The payer's saved cards, in the order in which they are offered.
    var cards: [SavedCard]
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
    /// What the merchant may read of the past.
    var history: [HistoryEntry] = []
    /// How the money moved.
    var transactions: [FinancialTransaction] = []
    /// Captures, cancellations and reversals that did not happen.
    var failedTransactions: [FailedTransaction] = []
    /// How often a kind failed without a success since.
    var consecutiveFailures: [TransactionKind: Int] = [:]
    /// A reversal that waits for a bank.
    var pendingReversal: PendingReversal?
    /// When the payment method takes the money back by itself.
    var methodReversesAt: ContinuousClock.Instant?
    /// How often a transaction came with a reference that had been used.
    var refusedDuplicates = 0
    /// What payments left behind.
    var generatedTokens: [GeneratedToken] = []
    /// What the merchant has to be told and nobody has taken yet.
    private var notices: [CallbackNotice] = []
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
        self.history = [
            HistoryEntry(
                name: "PaymentCreated",
                initiator: .payee,
                at: Timestamp.text(created),
                instrument: nil,
                amount: nil
            )
        ]
        issued = [
            (sessionToken, .session(order: id)), (scriptToken, .script(order: id)),
            (menuToken, .menu(order: id)),
        ]
    }

    /// The secret address of the session.
    var sessionURL: String {
        "\(baseURL)/psp/paymentsessions/\(sessionToken)?_tc_tid=\(traceID)"
    }

    /// The order's status in the newest version's words.
    ///
    /// An authorisation of which nothing was captured before it was cancelled makes the order
    /// cancelled; an order of which everything that was taken was given back is reversed.
    var status: String {
        switch outcome {
        case nil: return "Initialized"
        case .paid:
            let balance = balance
            if balance.cancelled > 0, balance.captured == 0 { return "Cancelled" }
            let isOver = balance.capturable == 0 && balance.reversible == 0
            return balance.reversed > 0 && isOver ? "Reversed" : "Paid"
        case .aborted: return "Aborted"
        case .failed: return "Failed"
        }
    }

    /// The status in the words of the order's own version.
    ///
    /// - Note: Source: payment order API, status model: the older generation has `Ready`, `Pending`,
    ///   `Failed` and `Aborted`; `Reversed` came with 3.1.
    var shownStatus: String {
        switch request.version {
        case .v31: return status
        case .v3: return status == "Reversed" ? "Paid" : status
        case .v2:
            switch outcome {
            case nil: return runningIndex == nil ? "Ready" : "Pending"
            case .paid: return "Ready"
            case .aborted: return "Aborted"
            case .failed: return "Failed"
            }
        }
    }

    /// Where the money is.
    var balance: OrderBalance { OrderBalance(transactions) }

    /// The PSP's number for the next transaction that is not an attempt's.
    var nextTransaction: Int {
        let others = transactions.count + failedTransactions.count
        return number * 100 + attempts.count + others + (pendingReversal == nil ? 0 : 1) + 1
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

    /// Gives the menu's script a new address; the former one goes on working.
    mutating func renewScript() {
        scriptToken = OpaqueToken.make()
        issue(scriptToken, .script(order: id))
    }

    /// The merchant has to hear of a transaction.
    ///
    /// - Note: Source: payment order API, callbacks: none for cards that are charged without the payer.
    mutating func tell(_ transaction: Int, of method: String) {
        if request.purpose.tokenKind != nil, method == MethodName.creditCard { return }
        notices.append(CallbackNotice(transaction: transaction, method: method))
    }

    /// Hands over what the merchant has to be told since the last time.
    mutating func takeNotices() -> [CallbackNotice] {
        defer { notices = [] }
        return notices
    }

    /// Hands over the tokens that became reachable since the last time.
    mutating func takeIssued() -> [(token: String, address: Address)] {
        defer { issued = [] }
        return issued
    }
}
