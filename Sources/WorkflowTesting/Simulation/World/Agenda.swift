import EventLog
import SwedbankPay
import Workflow

/// The scheduled occurrences of a simulated world by time; at equal times in the order of
/// scheduling.
///
/// Sessions are identified by their number in the world, counted in the order in which they were
/// opened.
struct Agenda<Scenario: SimulatedScenario>: Sendable {
    typealias Exchange = SimulatedExchange<Scenario.Rules>

    enum What: Sendable {
        /// A write reaches the disk.
        case commit(Int)
        /// An append fails without having been written.
        indirect case refuse(Int, EventStoreError)
        /// A request reaches the other side.
        indirect case arrive(Exchange)
        /// An engine receives a response.
        indirect case response(Exchange, Scenario.Rules.Input.Outcome)
        /// A wake-up requested by an engine; the number distinguishes it from an earlier one.
        case wake(Int)
        case lease(Int)
        /// A request was not sent, since the engine found that its lease had expired.
        case notPerformed(Int, EffectID)
        case load(Int)
        /// An engine finds that others have appended.
        case news
        /// An engine has read a log, as far as it was written when the reading began.
        indirect case read(Int, Scenario.Rules.State, forClient: Bool)
        case unwatch(Int)
        /// Any engine adopts a session with something due.
        case adopt(Int)
        /// A client acts; tries of the same action are counted from 1.
        indirect case client(Int, Scenario.Rules.Input, tries: Int)
        /// An occurrence that the scenario has planned for a session.
        case happening(Int, Scenario.Happening)
        /// A client that lost its engine reconnects.
        case reconnect(Int)
        /// The engine's trouble of that number ends.
        case recover(Int)
        /// The leases of an engine that cannot renew them expire, in its trouble of that number.
        case expire(Int)
    }

    struct Entry: Sendable {
        var time: Instant
        var order: Int
        var node: Int
        /// The engine's life in which it may occur; `nil` for any.
        var life: Int?
        var what: What
    }

    private var heap: [Entry] = []
    private var count = 0

    var isEmpty: Bool { heap.isEmpty }

    mutating func add(_ what: What, at time: Instant, _ node: Int, life: Int?) {
        count += 1
        heap.append(Entry(time: time, order: count, node: node, life: life, what: what))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard isBefore(child, parent) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    mutating func next(by end: Instant) -> Entry? {
        guard let first = heap.first, first.time <= end else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var smallest = parent
            let left = 2 * parent + 1
            if left < heap.count, isBefore(left, smallest) { smallest = left }
            if left + 1 < heap.count, isBefore(left + 1, smallest) { smallest = left + 1 }
            guard smallest != parent else { return first }
            heap.swapAt(parent, smallest)
            parent = smallest
        }
    }

    private func isBefore(_ left: Int, _ right: Int) -> Bool {
        heap[left].time == heap[right].time
            ? heap[left].order < heap[right].order : heap[left].time < heap[right].time
    }
}

/// A request on its way to the other side and back.
struct SimulatedExchange<Rules: WorkflowRules>: Sendable {
    /// Distinguishes it from an earlier request of the same identity.
    var number: Int
    /// The session's number.
    var session: Int
    var request: Rules.Request
    /// When it was sent.
    var leftAt = Instant(microseconds: 0)
    /// The permission of the engine's circuit breaker.
    var admission: CircuitBreaker.Admission?
    /// The life of the engine that sent it.
    var life = 0
    /// Whether its response was delivered before.
    var isRepeated = false
    /// Whether its engine has given it up before it arrives: its response is discarded.
    var isGivenUp = false
    /// Whether the other side continued to work on it after its engine crashed.
    var hasOutlived = false
}
