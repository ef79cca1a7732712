internal import EventLog

/// Wake-up times of many sessions, earliest first: a binary heap in which outdated entries are
/// skipped.
struct Timers: Sendable {
    private var heap: [Entry] = []

    private struct Entry: Sendable {
        var time: Instant
        var place: Int
    }

    /// Adds a time at which the session in a slot has something due.
    mutating func add(_ time: Instant, for place: Int) {
        heap.append(Entry(time: time, place: place))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].time < heap[parent].time else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// The earliest time that a session is still waiting for.
    ///
    /// - Parameter isCurrent: Whether the session in a slot is waiting for exactly that time.
    /// - Returns: The time, or `nil` when there is none.
    mutating func earliest(where isCurrent: (Int, Instant) -> Bool) -> Instant? {
        while let first = heap.first {
            if isCurrent(first.place, first.time) { return first.time }
            removeFirst()
        }
        return nil
    }

    /// Removes and returns the slot of a session whose wake-up time has come.
    mutating func popDue(
        by now: Instant,
        where isCurrent: (Int, Instant) -> Bool
    ) -> Int? {
        while let first = heap.first, first.time <= now {
            removeFirst()
            precondition(heap.first.map { $0.time >= first.time } ?? true, "timers out of order")
            if isCurrent(first.place, first.time) { return first.place }
        }
        return nil
    }

    /// The number of entries, including outdated ones.
    var count: Int { heap.count }

    /// Removes all outdated entries when the number of entries exceeds a limit.
    ///
    /// Otherwise sessions that leave memory long before their time would fill it.
    mutating func forgetOutdated(
        beyond bound: Int,
        where isCurrent: (Int, Instant) -> Bool
    ) {
        guard heap.count > bound else { return }
        var seen: Set<Int> = []
        heap.removeAll { !isCurrent($0.place, $0.time) || !seen.insert($0.place).inserted }
        for parent in stride(from: heap.count / 2, through: 0, by: -1) { sink(parent) }
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        sink(0)
    }

    private mutating func sink(_ place: Int) {
        var parent = place
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].time < heap[smallest].time {
                smallest = child
            }
            guard smallest != parent else { return }
            heap.swapAt(parent, smallest)
            parent = smallest
        }
    }
}
