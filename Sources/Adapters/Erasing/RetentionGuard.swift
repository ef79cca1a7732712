package import EventLog
internal import SwedbankPay

/// Stops a retention run that a wrong clock, or a wrong period, would make destroy far too much.
///
/// A person who knows better can say so; a timer cannot.
package struct RetentionGuard: Sendable {
    /// How far the clock may be ahead of everything else that shows the time.
    ///
    /// A store in which nothing was recorded for that long needs a person.
    package static let longestLead = Duration.seconds(31 * 86_400)
    /// A run destroys at most this part of all keys: one in so many.
    package static let share = 4
    /// The number of sessions up to which their share does not matter.
    package static let few = 10

    /// Why a run is stopped.
    package enum Refusal: Hashable, Sendable {
        /// The clock is ahead of the last run, of the newest record and of the server's clock.
        case clockAhead(by: Duration)
        /// The run would destroy too large a part of all keys.
        case tooMany(Int, of: Int)
    }

    private let store: any PersistentStore
    private let now: Instant
    private let lastRun: Instant?

    /// The number of newest sessions in whose logs the newest record is looked for.
    private static let newest = 20

    /// Creates a guard.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - now: The time by this machine's clock.
    ///   - lastRun: When retention last ran on this machine; `nil` when it is not known.
    package init(of store: any PersistentStore, at now: Instant, after lastRun: Instant?) {
        (self.store, self.now, self.lastRun) = (store, now, lastRun)
    }

    /// Returns why the clock cannot be trusted; `nil` when it can.
    package func clockRefusal() async throws(EventStoreError) -> Refusal? {
        var known = [lastRun, try await newestRecord()].compactMap(\.self)
        if let shared = store as? any SharedStore { known.append(try await shared.serverTime()) }
        guard let latest = known.max(), now - latest > Self.longestLead else { return nil }
        return .clockAhead(by: now - latest)
    }

    /// Returns why so many sessions are not erased at once; `nil` when they are few enough.
    package func shareRefusal(of count: Int) async throws(EventStoreError) -> Refusal? {
        guard count > Self.few else { return nil }
        let keys = try await store.keyCounts(of: .own).values.reduce(0, +)
        return count * Self.share > keys ? .tooMany(count, of: keys) : nil
    }

    /// The time of the newest record in the logs of the newest sessions.
    private func newestRecord() async throws(EventStoreError) -> Instant? {
        var newest: Instant?
        for row in try await store.sessions(matching: SessionQuery(limit: Self.newest)) {
            guard let head = try await store.head(of: row.session),
                let record = try await store.read(row.session, from: head.sequence, limit: 1).first,
                let at = try? RecordReader.event(in: record).at
            else { continue }
            newest = max(newest ?? at, at)
        }
        return newest
    }
}
