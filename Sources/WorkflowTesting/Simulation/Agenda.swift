import Workflow

/// What will happen in a simulated world, by time; at the same time in the order in which it was noted.
struct Agenda: Sendable {
    enum What: Sendable {
        case commit(PendingAppend)
        case arrive(SessionID, OperationCall)
        case answer(SessionID, EffectID, ProviderAnswer.Outcome)
        case wake
        case lease(SessionID)
        case load(SessionID)
        case news(SessionID)
        case unwatch(SessionID)
        case adopt(SessionID)
        case act(SessionID, ActionID)
    }

    struct Entry: Sendable {
        var time: Instant
        var order: Int
        var node: Int
        var life: Int
        var survivesCrash: Bool
        var what: What
    }

    private var heap: [Entry] = []
    private var count = 0

    mutating func add(
        _ what: What,
        at time: Instant,
        _ node: Int,
        _ life: Int,
        survivesCrash: Bool = false
    ) {
        count += 1
        heap.append(
            Entry(
                time: time,
                order: count,
                node: node,
                life: life,
                survivesCrash: survivesCrash,
                what: what
            )
        )
        var child = heap.count - 1
        while child > 0, isBefore(child, (child - 1) / 2) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func next(by end: Instant) -> Entry? {
        guard let first = heap.first, first.time <= end else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && isBefore(child, smallest) {
                smallest = child
            }
            guard smallest != parent else { return first }
            heap.swapAt(parent, smallest)
            parent = smallest
        }
    }

    private func isBefore(_ left: Int, _ right: Int) -> Bool {
        (heap[left].time, heap[left].order) < (heap[right].time, heap[right].order)
    }
}
