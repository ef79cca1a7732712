import EventLog
import SwedbankPay
import Workflow

/// What will happen in a simulated world, by time; at the same time in the order in which it was noted.
///
/// Sessions are named by their number in the world, counted in the order in which they were opened.
struct Agenda<Scenario: SimulatedScenario>: Sendable {
    typealias Exchange = SimulatedExchange<Scenario.Rules>

    enum What: Sendable {
        /// A write reaches the disk.
        case commit(Int)
        /// An append fails without having been written.
        indirect case refuse(Int, EventStoreError)
        /// A request reaches the other side.
        indirect case arrive(Exchange)
        /// An engine hears of an answer.
        indirect case answer(Exchange, Scenario.Rules.Input.Outcome)
        /// A time that an engine asked for; the number tells it from an earlier one.
        case wake(Int)
        case lease(Int)
        /// A request was kept back, since the engine found that its lease had run out.
        case notPerformed(Int, EffectID)
        case load(Int)
        case news(Int)
        case unwatch(Int)
        /// Any engine takes up a session that something is due for.
        case adopt(Int)
        /// A client does something; counted from 1 for the same thing.
        indirect case client(Int, Scenario.Rules.Input, tries: Int)
        /// Something happens to a session that the scenario has planned.
        case happening(Int, Scenario.Happening)
        /// A client that lost its engine comes back.
        case reconnect(Int)
        /// An engine's trouble of that number is over.
        case recover(Int)
        /// The leases of an engine that can't prolong them run out, in its trouble of that number.
        case expire(Int)
    }

    struct Entry: Sendable {
        var time: Instant
        var order: Int
        var node: Int
        /// The engine's life in which it may happen; nothing when it may happen in any.
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
    /// Tells it from an earlier request of the same identity.
    var number: Int
    /// The session's number.
    var session: Int
    var call: Rules.Call
    /// When it left.
    var leftAt = Instant(microseconds: 0)
    /// The permission of the engine's circuit breaker.
    var admission: CircuitBreaker.Admission?
    /// The life of the engine that sent it.
    var life = 0
    /// Whether its answer was given before.
    var isRepeated = false
    /// Whether its engine has given it up by the time it arrives: nobody hears of its answer.
    var isGivenUp = false
    /// Whether the other side has worked on it since its engine died.
    var hasOutlived = false
}
