package import EventLog
package import Inspection
internal import SwedbankPay

/// The store's search index: adds what was appended since the last update, and finds sessions in
/// it.
package struct SearchIndex: Sendable {
    /// The number of records that are read, and of terms that are written, at once.
    static let batch = 2_000
    /// The maximum number of sessions that a search returns.
    package static let mostCandidates = 2_000
    /// The number of blinded values that are cached while the index is updated.
    static let mostBlinded = 100_000

    private let store: any PersistentStore
    /// The keys; `nil` for a store without sealed values, whose terms are all in the clear.
    private let vault: (any KeyVault)?
    private var blinded: [Sealed: String] = [:]
    private var keys: (session: SessionID, keys: SessionKeys?)?
    /// Whether this value has found or begun the index of its own keys.
    private var hasBegun = false

    /// The types of events that contain search terms, or may remove those of their session.
    private static let types: Set<String> = [
        "opened", "fetched", "methodsOffered", "attemptStarted", "checkoutOpened", "orderFetched",
        "handedOver", "transactionRequested", "orderConfirmed", "noteAdded", "operatorActed",
    ]

    /// Opens the index of a store, in which sealed values are blinded with one of its keys; a store
    /// without sealed values, such as one with imported sessions only, needs none.
    package init(of store: any PersistentStore, by vault: (any KeyVault)?) {
        (self.store, self.vault) = (store, vault)
    }

    /// Returns the beginning of the marks of indexes that have the rules and keys of this one: when
    /// it changes, the index is rebuilt from the first record.
    private func mark() async throws(SearchIndexError) -> String {
        guard let vault else { return "\(SearchTerms.version)-clear" }
        let check = try await fingerprint(SearchTerms.blinded("mark"), by: vault)
        return "\(SearchTerms.version)-\(check.hexadecimal.prefix(16))"
    }

    private func fingerprint(
        _ text: String,
        by vault: any KeyVault
    ) async throws(SearchIndexError) -> Digest256 {
        do throws(KeyVaultError) {
            return try await vault.addressFingerprint(of: text)
        } catch {
            throw .vault(error)
        }
    }

    private func progress() async throws(SearchIndexError) -> SearchProgress? {
        do throws(EventStoreError) {
            return try await store.searchProgress()
        } catch {
            throw .store(error)
        }
    }

    /// Refuses keys that lack the one of the newest session, and to go without keys where there is
    /// such a session: other processes have keys whose sealed values would be left out, and the
    /// index would look complete.
    ///
    /// An older session whose key is damaged or lost is left out, so that it does not stop the
    /// index.
    private func refuseForeignKeys() async throws(SearchIndexError) {
        let holder = vault as? any MasterKeyHolder
        guard vault == nil || holder != nil else { return }
        let newest: [UInt8]?
        do throws(EventStoreError) {
            newest = try await store.newestWrappedKey()
        } catch .missingRight {
            // A role that may only read; it can't add anything.
            return
        } catch {
            throw .store(error)
        }
        guard let newest else { return }
        guard let holder else {
            throw .vault(
                .missing(reason: "the store has sealed values, and their keys are missing")
            )
        }
        if holder.lacksKey(of: newest) { throw .vault(.wrongKey) }
    }

    /// Empties the index, which is then filled from the first record.
    ///
    /// Its mark ends differently each time. A process that saw the index before can't add anything
    /// to the emptied one, nor its progress, so that no record is skipped.
    private func begin(_ mark: String) async throws(SearchIndexError) -> SearchProgress {
        let begun = "\(mark)-\(UInt64.random(in: .min ... .max))"
        do throws(EventStoreError) {
            try await store.restartSearch(begun)
        } catch {
            throw .store(error)
        }
        return SearchProgress(mark: begun, cursor: nil)
    }

    /// Empties the index of a store if its terms were blinded with other keys, which the terms must
    /// not outlive; the next update fills it again.
    ///
    /// - Throws: ``SearchIndexError/replaced`` when another process with such keys was faster.
    package static func restart(
        _ store: any PersistentStore,
        for vault: any KeyVault
    ) async throws(SearchIndexError) {
        let index = SearchIndex(of: store, by: vault)
        let mark = try await index.mark()
        if let known = try await index.progress() {
            guard !known.mark.hasPrefix(mark) else { return }
        } else {
            // One that was interrupted while it was emptied has no progress, but may have terms.
            guard try await index.hasTerms() else { return }
        }
        var begun: SearchProgress?
        // There is none while a process that found none, either, empties the new index again.
        while begun == nil {
            _ = try await index.begin(mark)
            begun = try await index.progress()
        }
        guard begun?.mark.hasPrefix(mark) == true else { throw .replaced }
    }

    private func hasTerms() async throws(SearchIndexError) -> Bool {
        do throws(EventStoreError) {
            return try await !store.sessions(withTermsBeginning: [""], limit: 1).isEmpty
        } catch {
            throw .store(error)
        }
    }

    /// Returns whether the index has read every record.
    ///
    /// - Throws: ``SearchIndexError``, also for keys without the one of the newest session.
    package func isCurrent() async throws(SearchIndexError) -> Bool {
        try await refuseForeignKeys()
        let mark = try await mark()
        do throws(EventStoreError) {
            // The end is read first: records appended meanwhile do not count.
            guard let end = try await store.changes(after: nil, limit: 1)?.cursor,
                let known = try await store.searchProgress(), known.mark.hasPrefix(mark)
            else { return false }
            return known.cursor?.hasReached(end) ?? (end.distance(from: nil) == 0)
        } catch {
            throw .store(error)
        }
    }

    /// Adds the records since the last update, of whichever process, to a store that is open for
    /// writing.
    ///
    /// Terms and progress are written together, so an update can be interrupted anywhere. Each
    /// batch continues where the index ends by then, so several may run at once.
    ///
    /// - Parameter reached: Receives the number of records that were read, and of all to read.
    /// - Returns: What was read.
    /// - Throws: ``SearchIndexError/replaced`` when others began the index with other keys after
    ///   this value's first update: two that took turns would never be finished. Keys without the
    ///   one of the newest session are refused before its records are read.
    package mutating func update(
        reached: (_ done: Int64, _ all: Int64) -> Void
    ) async throws(SearchIndexError) -> SearchUpdate {
        var update = SearchUpdate()
        var all: Int64?
        while !Task.isCancelled {
            var progress = try await position()
            let records: [PositionedRecord]
            do throws(EventStoreError) {
                records = try await store.records(after: progress.cursor, limit: Self.batch)
            } catch {
                throw .store(error)
            }
            guard let last = records.last else {
                update.isComplete = true
                break
            }
            // After they were read, so that the keys of all their sessions exist.
            try await refuseForeignKeys()
            let (terms, erased) = try await self.terms(of: records)
            progress.cursor = last.cursor
            update.records += Int64(records.count)
            do throws(EventStoreError) {
                if all == nil {
                    let end = try await store.changes(after: nil, limit: 1)?.cursor
                    all = update.records + max(0, end?.distance(from: last.cursor) ?? 0)
                }
                try await store.addTerms(terms, erased: erased, upTo: progress)
            } catch {
                throw .store(error)
            }
            reached(update.records, all ?? 0)
        }
        return update
    }

    /// Returns how far the index has followed the log, and begins one of other rules or keys again.
    private mutating func position() async throws(SearchIndexError) -> SearchProgress {
        let mark = try await mark()
        let known = try await progress()
        if let known, known.mark.hasPrefix(mark) {
            hasBegun = true
            return known
        }
        guard known == nil || !hasBegun else { throw .replaced }
        hasBegun = true
        try await refuseForeignKeys()
        return try await begin(mark)
    }

    /// Returns the terms of records, and the sessions whose earlier terms are removed.
    ///
    /// The log keeps the clear values of an erased session, but the index does not, however often
    /// it is rebuilt. What was recorded after the erasure has terms: the session is continued only
    /// by an engine that still has it in memory, or if the erasure was interrupted, and to find an
    /// erasure of an earlier batch, the session's log would have to be read for each record.
    private mutating func terms(
        of records: [PositionedRecord]
    ) async throws(SearchIndexError) -> (terms: [SessionID: Set<String>], erased: Set<SessionID>) {
        var terms: [SessionID: Set<String>] = [:]
        var erased: Set<SessionID> = []
        for record in records.map(\.record) where Self.types.contains(record.type) {
            // A record that cannot be decoded has no terms, and `verify` reports it.
            guard let event = try? RecordReader.event(in: record).event else { continue }
            if event.isErasure {
                terms[record.stream] = nil
                erased.insert(record.stream)
                continue
            }
            let found = try await self.terms(of: event, in: record)
            if !found.isEmpty { terms[record.stream, default: []].formUnion(found) }
        }
        return (terms, erased)
    }

    private mutating func terms(
        of event: SessionEvent,
        in record: StoredRecord
    ) async throws(SearchIndexError) -> Set<String> {
        var terms = SearchTerms()
        terms.add(event)
        var found = terms.clear
        let unknown = terms.sealed.filter { blinded[$0] == nil }
        if !unknown.isEmpty, let vault, let keys = try await keys(of: record.stream) {
            if blinded.count > Self.mostBlinded { blinded = [:] }
            let secrets = RecordReader.secrets(in: record, keys: keys)
            for sealed in unknown {
                guard let plaintext = secrets[sealed] else { continue }
                let digest = try await fingerprint(SearchTerms.blinded(plaintext), by: vault)
                blinded[sealed] = SearchTerms.term(of: digest)
            }
        }
        for sealed in terms.sealed { if let term = blinded[sealed] { found.insert(term) } }
        return found
    }

    /// Returns the keys of a session; `nil` when they were destroyed, or belong to another store.
    private mutating func keys(
        of session: SessionID
    ) async throws(SearchIndexError) -> SessionKeys? {
        if let keys, keys.session == session { return keys.keys }
        var found: SessionKeys?
        do throws(EventStoreError) {
            if let vault, let wrapped = try await store.wrappedKey(of: session) {
                found = try? await vault.keys(unwrapping: wrapped, for: session)
            }
        } catch {
            throw .store(error)
        }
        keys = (session, found)
        return found
    }

    /// Returns the sessions with notes, whose texts are compared in the logs.
    ///
    /// Of the query, only the time narrows them.
    package func sessionsWithNotes(
        _ query: SessionQuery
    ) async throws(SearchIndexError) -> SearchCandidates {
        do throws(EventStoreError) {
            return SearchCandidates(
                try await store.sessions(
                    withTermsBeginning: [SearchTerms.note],
                    since: query.since,
                    until: query.until,
                    limit: Self.mostCandidates + 1
                ),
                haveNotes: true
            )
        } catch {
            throw .store(error)
        }
    }

    /// Returns the sessions that may contain the text outside notes; their logs show where.
    ///
    /// Of the query, only the time narrows them.
    package func candidates(
        for wanted: Wanted,
        _ query: SessionQuery
    ) async throws(SearchIndexError) -> SearchCandidates {
        do {
            var beginnings = wanted.termBeginnings
            var addresses: [Digest256] = []
            for form in wanted.blindedForms {
                guard let vault else { break }
                let digests =
                    [try await vault.addressFingerprint(of: form)]
                    + (try await vault.formerAddressFingerprints(of: form))
                beginnings += digests.map(SearchTerms.term)
            }
            if let vault, wanted.text.utf8.contains("://".utf8) {
                let identity = SessionAddress.identity(of: wanted.text)
                addresses.append(try await vault.addressFingerprint(of: identity))
                addresses += try await vault.formerAddressFingerprints(of: identity)
            }
            var found = SearchCandidates(
                try await store.sessions(
                    withTermsBeginning: beginnings,
                    since: query.since,
                    until: query.until,
                    limit: Self.mostCandidates + 1
                )
            )
            for address in addresses {
                if let session = try await store.session(ofAddress: address) {
                    found.sessions.append(session)
                }
            }
            return found
        } catch let error as EventStoreError {
            throw .store(error)
        } catch let error as KeyVaultError {
            throw .vault(error)
        } catch {
            return SearchCandidates([])
        }
    }
}

/// The sessions that a search index has for a text.
package struct SearchCandidates: Hashable, Sendable {
    /// The sessions, at most ``SearchIndex/mostCandidates`` besides that of an address.
    package var sessions: [SessionID]
    /// Whether there are more.
    package var hasMore: Bool
    /// Whether they are the sessions with notes, whatever these say, and not those with the text.
    package let haveNotes: Bool

    /// Keeps the newest of the sessions that a store found.
    init(_ found: [SessionID], haveNotes: Bool = false) {
        sessions = Array(found.prefix(SearchIndex.mostCandidates))
        hasMore = found.count > sessions.count
        self.haveNotes = haveNotes
    }
}

/// What an update of a search index read.
package struct SearchUpdate: Hashable, Sendable {
    /// The number of records.
    package var records: Int64
    /// Whether the end of the log was reached.
    package var isComplete: Bool

    /// Creates what an update read: nothing yet.
    package init(records: Int64 = 0, isComplete: Bool = false) {
        (self.records, self.isComplete) = (records, isComplete)
    }
}

/// Why a search index could not be used.
package enum SearchIndexError: Error, Hashable, Sendable {
    /// The store could not be read or written.
    case store(EventStoreError)
    /// A value could not be blinded.
    case vault(KeyVaultError)
    /// Another process began the index again with other keys, or by the rules of another build.
    case replaced
}
