import FoundationEssentials

/// The target of an unguessable token in a URL.
enum Address: Sendable, Hashable {
    case session(order: String)
    case operation(order: String, OperationKey)
    case script(order: String)
    case challenge(order: String)
    case notification(order: String)
    case swish(order: String, attempt: Int)
    /// A Swish payment that exists in a scenario's literal responses only.
    case scriptedSwish(order: String)
    /// The hosted payment menu.
    case menu(order: String)
    /// The page of a bank or wallet to which a method of the menu redirects.
    case bank(order: String)
}

/// The time of a request to an order.
struct Moment: Sendable {
    let now: ContinuousClock.Instant
    let date: Date
}

/// The durations that the simulated parties take.
struct Timing: Sendable {
    let swishOtherDevice: Duration?
    let swishThisDevice: Duration?
    let challenge: Duration
}

/// One payment order and its session: a state machine without I/O.
///
/// Each call receives the time; what has become due by then happens first, in ``settle(at:)``.
struct PaymentOrder: Sendable {
    /// How the order ended.
    enum Outcome: Sendable, Equatable {
        case paid(attempt: Int)
        case aborted(reason: String)
        case failed
    }

    /// A failed attempt of which the payer must be informed.
    struct ShownProblem: Sendable {
        let attempt: Int
        let problem: ProblemDetail
    }

    let id: String
    /// The PSP's number of the order.
    let number: Int
    let baseURL: String
    let sessionToken: String
    /// The token of the menu's script; a change of the method creates a new one.
    private(set) var scriptToken = OpaqueToken.make()
    let menuToken = OpaqueToken.make()
    let traceID = OpaqueToken.identifier()
    /// The merchant's order, with later changes.
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
    /// The hosted payment menu, in its current state.
    var menu: Menu
    var attempts: [Attempt] = []
    /// The maximum number of attempts that were ever under way at once.
    var mostAttemptsAtOnce = 0
    var shownProblem: ShownProblem?
    /// The problem with which the attempt under way ends instead of being paid.
    var imposedProblem: ProblemDetail?
    var outcome: Outcome?
    var faults: FaultPlan
    var script: ScriptPlan
    /// The values used in literal responses, by name.
    var scriptedTokens: [String: String] = [:]
    var scriptedChallenges: [Int: Challenge] = [:]
    /// The telemetry sent by the client.
    var clientEvents = ClientEventBook()
    /// The history for the merchant.
    var history: [HistoryEntry] = []
    /// The movements of the money.
    var transactions: [FinancialTransaction] = []
    /// Captures, cancellations and reversals that failed.
    var failedTransactions: [FailedTransaction] = []
    /// The number of failures of each kind since its last success.
    var consecutiveFailures: [TransactionKind: Int] = [:]
    /// A reversal that waits for a bank.
    var pendingReversal: PendingReversal?
    /// When the payment method itself reverses the payment.
    var methodReversesAt: ContinuousClock.Instant?
    /// The number of transactions with a reference that was used before.
    var refusedDuplicates = 0
    /// The tokens that payments created.
    var generatedTokens: [GeneratedToken] = []
    /// The pending notices for the merchant.
    private var notices: [CallbackNotice] = []
    /// The number of requests of each operation.
    var requests: [String: Int] = [:]

    private var tokens: [OperationKey: String] = [:]
    /// Tokens that are not reachable yet.
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

    /// The order's status in the newest version's terms.
    ///
    /// An order whose authorization was canceled before anything was captured is canceled; an
    /// order of which everything taken was reversed is reversed.
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

    /// The status in the terms of the order's own version.
    ///
    /// - Note: Source: payment order API, status model: the older generation has `Ready`,
    ///   `Pending`, `Failed` and `Aborted`; `Reversed` came with 3.1.
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

    /// The current balance of the money.
    var balance: OrderBalance { OrderBalance(transactions) }

    /// The PSP's number for the next transaction that is not an attempt's.
    var nextTransaction: Int {
        let others = transactions.count + failedTransactions.count
        return number * 100 + attempts.count + others + (pendingReversal == nil ? 0 : 1) + 1
    }

    /// The attempt under way, the newest one when a scenario permits several.
    var runningIndex: Int? { attempts.lastIndex { $0.isRunning } }

    /// The methods that a client may choose now.
    var visibleMethods: [String] {
        if let instrumentMode { return [instrumentMode] }
        guard let restriction else { return methods }
        return methods.filter { restriction.contains($0) }
    }

    /// The token of an operation, which stays the same for as long as the operation is offered.
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

    /// Gives the menu's script a new address; the former one keeps working.
    mutating func renewScript() {
        scriptToken = OpaqueToken.make()
        issue(scriptToken, .script(order: id))
    }

    /// Notifies the merchant of a transaction.
    ///
    /// - Note: Source: payment order API, callbacks: none for cards that are charged without the
    ///   payer.
    mutating func addNotice(of transaction: Int, by method: String) {
        if request.purpose.tokenKind != nil, method == MethodName.creditCard { return }
        notices.append(CallbackNotice(transaction: transaction, method: method))
    }

    /// Returns the notices for the merchant since the last call.
    mutating func takeNotices() -> [CallbackNotice] {
        defer { notices = [] }
        return notices
    }

    /// Returns the tokens that became reachable since the last call.
    mutating func takeIssued() -> [(token: String, address: Address)] {
        defer { issued = [] }
        return issued
    }
}
