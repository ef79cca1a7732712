/// The frequencies of faults, in thousandths; 0 is never.
///
/// Each fault has a name, by which ``subscript(_:)`` and ``all`` find it. Some are a probability
/// for each request, append or report; those that start a condition (an outage, a pause, a jump)
/// are a probability for each step of the world.
public struct SimulatedFaults: Hashable, Sendable {
    // Network, for each request or response.

    /// A request is lost before the PSP sees it, and the connection with it.
    public var requestLost = 0
    /// The connection cannot be opened: the request was certainly not sent.
    public var connectionRefused = 0
    /// The PSP processes a request and its response is lost.
    public var answerLost = 0
    /// A request is delayed and reaches the PSP up to a minute later, even after its engine gave it
    /// up or crashed.
    ///
    /// This occurs only in a world whose PSP refuses a second start of an attempt
    /// (``carelessProvider``): if a request can be delayed for longer than the engine waits before
    /// it reconciles, and the PSP accepts everything, no client can prevent a double payment.
    public var requestLate = 0
    /// A response arrives a second time, later.
    public var answerTwice = 0
    /// A response takes so long that others overtake it.
    public var answerLate = 0
    /// The response never arrives; the request's deadline ends it.
    public var hang = 0
    /// The PSP responds with 503 without processing the request.
    public var unavailable = 0
    /// The PSP processes a request and responds with 500.
    public var failsAfterProcessing = 0
    /// A response is empty or unreadable.
    public var unusableResponse = 0
    /// The PSP responds with 429 and a retry time.
    public var tooManyRequests = 0
    /// For each step: the PSP is down for a while.
    public var outage = 0
    /// For each step: the PSP refuses every request with 429 for a while.
    public var rateLimiting = 0

    // Store, for each append.

    /// An append fails and is not durable.
    public var appendFails = 0
    /// An append is durable, but the engine receives an error.
    public var commitUnacknowledged = 0
    /// The disk takes seconds.
    public var slowDisk = 0
    /// For each step: the disk is full for a while.
    public var fullDisk = 0

    // Engines, for each step.

    /// An engine crashes, and what it was writing is truncated at an arbitrary byte.
    public var crash = 0
    /// All engines crash at once, and what was being written is truncated at an arbitrary byte.
    public var powerLoss = 0
    /// An engine stops for a while; its leases expire meanwhile.
    public var pause = 0
    /// An engine cannot reach the PSP for a while.
    public var providerCut = 0
    /// An engine cannot reach the store for a while; its leases expire meanwhile.
    public var storeCut = 0
    /// An engine's clock jumps, forward or back.
    public var clockJump = 0

    /// For each request whose engine crashed: the PSP continues to work on it, for as long as any
    /// engine would wait.
    public var workAfterDeath = 0
    /// For each log that is read: it was changed without the keys.
    public var forgedLog = 0
    /// For each session in which something will be due: its row says that nothing ever will be; it
    /// was changed without the keys.
    public var changedRow = 0

    // Sessions and clients, for each publication, report or command.

    /// An engine unloads a session that it has just worked on, although something may be due later.
    public var letGo = 0
    /// A report arrives through another process that writes to the same log.
    public var otherWriter = 0
    /// A report arrives much later than it should.
    public var reportLate = 0
    /// A report arrives twice.
    public var reportTwice = 0
    /// A report never arrives.
    public var reportNever = 0
    /// A report does not say what happened, or names another action.
    public var reportWrong = 0
    /// A command is given twice at once.
    public var doubleTap = 0
    /// A payer acts unasked: aborts, retries, returns, chooses again.
    public var impatience = 0

    // Other actors, for each publication of a session; not when the PSP is careless, since then
    // nothing could prevent a double payment.

    /// Another device starts to pay the same session, and pays, declines or leaves it.
    public var otherDevice = 0
    /// The merchant's staff change the order in the PSP's portal.
    public var portal = 0

    // Other actors, for each request or response.

    /// The PSP responds to a request of a running attempt with 400, and the attempt continues.
    public var refusedMidway = 0
    /// The response is about another payment, which is paid.
    public var foreignResponse = 0

    // The PSP, for each publication, request or read; not when it is careless.

    /// The PSP shows a paid order in another way: taken back, with a status that its amounts
    /// contradict, as reversed although some of it can still be captured, or with a transaction of
    /// an unknown type.
    public var changedMind = 0
    /// The PSP accepts a capture, cancellation or reversal, and performs or refuses it later.
    public var acceptedLater = 0
    /// The PSP refuses a capture, cancellation or reversal, whoever is to blame.
    public var refusedTransaction = 0
    /// A read shows the order as it was before it last changed.
    public var staleAnswer = 0
    /// The payer pays on another device in the last minute before the session expires, which was
    /// read shortly before.
    public var lastMinute = 0

    // Payers, for each one who approves in an app.

    /// The payer approves in the app at a time of their own, whether the PSP is polled or not.
    ///
    /// In a world without other faults, the payment must be recorded soon after that.
    public var ownPace = 0

    // The PSP, for each world.

    /// The PSP accepts every request to start an attempt, including a second one for the same
    /// attempt.
    ///
    /// It is a probability for each world, drawn once from the world's seed.
    public var carelessProvider = 0

    /// Whether the PSP certainly accepts every request to start an attempt: ``carelessProvider`` at
    /// 1000.
    public var isProviderCareless: Bool {
        get { carelessProvider >= 1000 }
        set { carelessProvider = newValue ? 1000 : 0 }
    }

    /// Creates faults that never occur.
    public init() {}
}
