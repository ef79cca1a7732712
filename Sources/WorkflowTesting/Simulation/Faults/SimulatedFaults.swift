/// How often things go wrong, in thousandths; 0 is never.
///
/// Each fault has a name, by which ``subscript(_:)`` and ``all`` find it. Some are a chance for each request, append
/// or report; those that begin something (an outage, a pause, a jump) are a chance for each step of the world.
public struct SimulatedFaults: Hashable, Sendable {
    // Network, for each request or answer.

    /// A request is lost before the PSP sees it, and the connection with it.
    public var requestLost = 0
    /// The connection can't be opened: the request certainly was not sent.
    public var connectionRefused = 0
    /// The PSP processes a request and its answer is lost.
    public var answerLost = 0
    /// A request lingers and reaches the PSP up to a minute later, also after its engine gave it up or died.
    ///
    /// It happens only in a world whose PSP takes no second start of an attempt (``carelessProvider``): against a
    /// request that lingers longer than the engine waits before it looks what became of it, no client has a
    /// remedy when the PSP takes whatever comes.
    public var requestLate = 0
    /// An answer comes a second time, later.
    public var answerTwice = 0
    /// An answer takes so long that others overtake it.
    public var answerLate = 0
    /// The answer never comes; the request's deadline ends it.
    public var hang = 0
    /// The PSP answers with 503 and processes nothing.
    public var unavailable = 0
    /// The PSP processes a request and answers with 500.
    public var failsAfterProcessing = 0
    /// An answer is empty or can't be read.
    public var unusableAnswer = 0
    /// The PSP answers with 429 and says when to come again.
    public var tooManyRequests = 0
    /// For each step: the PSP is down for everybody, for a while.
    public var outage = 0
    /// For each step: the PSP refuses everybody with 429, for a while.
    public var rateLimiting = 0

    // Store, for each append.

    /// An append fails and is not durable.
    public var appendFails = 0
    /// An append is durable, and the engine is told that it failed.
    public var commitUnacknowledged = 0
    /// The disk takes seconds.
    public var slowDisk = 0
    /// For each step: the disk is full for a while.
    public var fullDisk = 0

    // Engines, for each step.

    /// An engine dies, and what it was writing is cut off at any byte.
    public var crash = 0
    /// All engines die at once, and what was being written is cut off at any byte.
    public var powerLoss = 0
    /// An engine stands still for a while; its leases run out meanwhile.
    public var pause = 0
    /// An engine can't reach the PSP for a while.
    public var providerCut = 0
    /// An engine can't reach the store for a while; its leases run out meanwhile.
    public var storeCut = 0
    /// An engine's clock jumps, forward or back.
    public var clockJump = 0

    /// For each request whose engine died: the PSP goes on working on it, as long as any engine would wait for it.
    public var workAfterDeath = 0
    /// For each log that is read: somebody without the keys has changed it.
    public var forgedLog = 0

    // Sessions and clients, for each publication, report or command.

    /// An engine lets go of a session that it has just worked on, although something may be due later.
    public var letGo = 0
    /// A report comes in through another process that writes to the same log.
    public var otherWriter = 0
    /// A report comes much later than it should.
    public var reportLate = 0
    /// A report comes twice.
    public var reportTwice = 0
    /// A report never comes.
    public var reportNever = 0
    /// A report says something else than what happened, or names another action.
    public var reportWrong = 0
    /// A command is given twice at once.
    public var doubleTap = 0
    /// A payer does something that nobody asked for: gives up, tries again, comes back, chooses anew.
    public var impatience = 0

    // Other actors, for each publication of a session; not where the PSP is careless, since nobody has a remedy then.

    /// Another device begins to pay the same session, and pays, declines or leaves it.
    public var otherDevice = 0
    /// The merchant's staff do something with the order in the PSP's portal.
    public var portal = 0

    // Other actors, for each request or answer.

    /// The PSP answers a request of a running attempt with 400, and the attempt goes on.
    public var refusedMidway = 0
    /// The answer is about another payment, which is paid.
    public var foreignAnswer = 0

    // The PSP, for each world.

    /// The PSP takes every request to start an attempt, also a second one for the same.
    ///
    /// It is a chance for each world, drawn once from the world's seed.
    public var carelessProvider = 0

    /// Whether the PSP certainly takes every request to start an attempt: ``carelessProvider`` at 1000.
    public var isProviderCareless: Bool {
        get { carelessProvider >= 1000 }
        set { carelessProvider = newValue ? 1000 : 0 }
    }

    /// A calm world.
    public init() {}
}
