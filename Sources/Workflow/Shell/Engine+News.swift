internal import EventLog

extension Engine {
    /// Looks for what other processes appended to sessions in memory.
    func followNews() async {
        // Nothing is known at first: sessions may be in memory already.
        var known: Int64?
        var place: Int64?
        var unlearned: [SessionID: Int64] = [:]
        while !Task.isCancelled, !isStopping {
            await clock.sleep(until: clock.now() + configuration.newsInterval)
            guard !Task.isCancelled, let counter = try? await store.changeCounter(),
                counter != known
            else { continue }
            if await takeNews(after: &place, &unlearned) { known = counter }
        }
    }

    /// Lets sessions in memory know of what was appended to them.
    ///
    /// Only what was appended is looked at where the store can tell: asking for each session in memory would cost
    /// more than driving them, and each of our own appends is news, too.
    ///
    /// - Parameters:
    ///   - place: The place in the store's order up to which everything was looked at.
    ///   - unlearned: Sessions that were on their way into memory then, with the ends of their logs: they may have been
    ///     read before, so they are looked at again.
    /// - Returns: Whether everything is known that there was.
    private func takeNews(
        after place: inout Int64?,
        _ unlearned: inout [SessionID: Int64]
    ) async -> Bool {
        guard let since = place else {
            // Before the heads are read, so that nothing falls in between.
            let newest = try? await store.news(after: nil, limit: 0)
            guard await compareHeads() else { return false }
            place = newest?.position
            return true
        }
        guard let news = try? await store.news(after: since, limit: Self.newsBatch) else {
            return false
        }
        unlearned.merge(news.heads) { max($0, $1) }
        for (session, sequence) in unlearned.sorted(by: { $0.key < $1.key })
        where learn(of: session, at: sequence) {
            unlearned[session] = nil
        }
        place = news.position
        return news.isComplete && unlearned.isEmpty
    }

    /// How many records one look for news takes in; the rest comes with the next.
    static var newsBatch: Int { 4096 }

    /// Asks for the end of each session in memory, one after the other.
    private func compareHeads() async -> Bool {
        // What is being loaded may have been read before the news.
        var hasSeenAll = loading.isEmpty
        for session in sessions.keys.sorted() {
            do {
                guard let head = try await store.head(of: session) else { continue }
                if !learn(of: session, at: head.sequence) { hasSeenAll = false }
            } catch {
                hasSeenAll = false
            }
        }
        return hasSeenAll
    }

    /// A session's log goes up to this place.
    ///
    /// - Returns: False when it is on its way into memory, so that nobody can tell whether it is known.
    private func learn(of session: SessionID, at sequence: Int64) -> Bool {
        guard let resources = sessions[session] else { return loading[session] == nil }
        // What is our own append is no news; should it be another's, our append meets a conflict.
        let mine = max(resources.head.sequence, resources.appending?.head.sequence ?? 0)
        if sequence > mine { handle(.storeChanged(session)) }
        return true
    }
}
