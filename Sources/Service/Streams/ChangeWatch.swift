internal import Adapters
internal import EventLog

/// Wakes those who wait for new records of a session, or of any.
///
/// One watch serves all streams of a service. It hears of the engine's own appends at once, and
/// looks at the store for those of other processes.
///
/// - Note: Isolation: an actor.
actor ChangeWatch {
    /// A moment between two changes.
    struct Mark: Sendable {
        fileprivate var number: Int
    }

    private struct Waiter {
        var session: SessionID?
        var continuation: CheckedContinuation<Void, Never>
    }

    private let store: any PersistentStore
    /// How often the store is asked whether other processes have appended.
    private let interval: Duration
    private var waiters: [Int: Waiter] = [:]
    /// Those who wait for a session, and those who wait for any.
    private var waiting: [SessionID: Set<Int>] = [:]
    private var anybody: Set<Int> = []
    private var lastWaiter = 0
    /// The number of changes so far.
    private var changes = 0
    /// When each session changed last, and since when that is known of all.
    private var changed: [SessionID: Int] = [:]
    private var knownSince = 0
    private var cursor: LogCursor?
    private var counter: Int64?
    private var isOver = false

    /// The interval at which a store is asked.
    static let usualInterval = Duration.milliseconds(100)
    /// The maximum number of sessions whose last change is remembered.
    private static let remembered = 10_000

    init(of store: any PersistentStore, every interval: Duration = usualInterval) {
        (self.store, self.interval) = (store, interval)
    }

    /// Whether the service has ended; streams end then.
    var hasEnded: Bool { isOver }

    /// The present moment; whoever takes it before reading the store misses nothing.
    var mark: Mark { Mark(number: changes) }

    /// Watches the store until the task is canceled; then everybody who waits is woken for the last
    /// time.
    func run() async {
        while !Task.isCancelled {
            // A store that does not respond now is asked again.
            if let now = try? await store.changeCounter(), now != counter {
                counter = now
                await look()
            }
            try? await Task.sleep(for: interval)
        }
        isOver = true
        noteAll()
    }

    /// Finds out which sessions have changed.
    private func look() async {
        while true {
            guard let found = try? await store.changes(after: cursor, limit: 1000) else {
                return noteAll()
            }
            let isFirst = cursor == nil
            cursor = found.cursor
            if isFirst { return noteAll() }
            for session in found.heads.keys { note(session) }
            if found.isComplete { return }
        }
    }

    /// Wakes those who wait for a session, or for any.
    func note(_ session: SessionID) {
        changes += 1
        if changed.count >= Self.remembered { forget() }
        changed[session] = changes
        wake((waiting[session] ?? []).union(anybody))
    }

    private func noteAll() {
        changes += 1
        forget()
        wake(Set(waiters.keys))
    }

    /// Counts all sessions as changed.
    private func forget() {
        changed.removeAll()
        knownSince = changes
    }

    private func wake(_ numbers: Set<Int>) {
        for number in numbers { wake(number) }
    }

    private func wake(_ number: Int) {
        guard let waiter = waiters.removeValue(forKey: number) else { return }
        anybody.remove(number)
        if let session = waiter.session {
            waiting[session]?.remove(number)
            if waiting[session]?.isEmpty == true { waiting[session] = nil }
        }
        waiter.continuation.resume()
    }

    /// Waits until a session, or any, may have been appended to since a moment, the time is over,
    /// the task is canceled, or the service ends.
    ///
    /// - Parameters:
    ///   - session: The session; `nil` for any.
    ///   - mark: The moment before the caller read the store.
    ///   - limit: How long to wait at most.
    /// - Returns: Whether there may be news.
    func wait(
        for session: SessionID?,
        since mark: Mark,
        atMost limit: Duration
    ) async -> Bool {
        guard !isOver, !Task.isCancelled, !hasChanged(session, since: mark) else { return true }
        lastWaiter += 1
        let own = lastWaiter
        let timer = Task { [weak self] in
            try? await Task.sleep(for: limit)
            await self?.wake(own)
        }
        defer { timer.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume() }
                waiters[own] = Waiter(session: session, continuation: continuation)
                if let session {
                    waiting[session, default: []].insert(own)
                } else {
                    anybody.insert(own)
                }
            }
        } onCancel: {
            Task { await self.wake(own) }
        }
        return isOver || Task.isCancelled || hasChanged(session, since: mark)
    }

    private func hasChanged(_ session: SessionID?, since mark: Mark) -> Bool {
        guard let session else { return changes > mark.number }
        return max(changed[session] ?? 0, knownSince) > mark.number
    }
}
