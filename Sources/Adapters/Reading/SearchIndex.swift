package import EventLog
package import Inspection
internal import SwedbankPay

/// The store's search index: adds what was appended since the last search, and finds sessions in
/// it.
package struct SearchIndex: Sendable {
    /// The number of records that are read, and of terms that are written, at once.
    static let batch = 2_000
    /// The maximum number of terms tried for each form in which a text may be indexed.
    static let mostTerms = 2_000
    /// The number of blinded values that are cached while the index is updated.
    static let mostBlinded = 100_000

    private let store: any PaymentStore
    private let vault: any KeyVault
    private var blinded: [Sealed: String] = [:]
    private var keys: (session: SessionID, keys: SessionKeys?)?

    /// The types of events that contain search terms.
    private static let types: Set<String> = [
        "opened", "fetched", "methodsOffered", "attemptStarted", "checkoutOpened", "orderFetched",
        "handedOver", "transactionRequested", "orderConfirmed", "noteAdded",
    ]

    /// Opens the index of a store, in which sealed values are blinded with one of its keys.
    package init(of store: any PaymentStore, by vault: any KeyVault) {
        (self.store, self.vault) = (store, vault)
    }

    /// Returns the mark of the rules and keys of the terms: when it changes, the index is rebuilt
    /// from the first record.
    private func mark() async throws(KeyVaultError) -> String { try await Self.mark(of: vault) }

    private static func mark(of vault: any KeyVault) async throws(KeyVaultError) -> String {
        let check = try await vault.addressFingerprint(of: SearchTerms.blinded("mark"))
        return "\(SearchTerms.version)-\(check.hexadecimal.prefix(16))"
    }

    /// Empties the index of a store if its terms were blinded with other keys, which the terms must
    /// not outlive; the next search fills it again.
    package static func restart(
        _ store: any PaymentStore,
        for vault: any KeyVault
    ) async throws(SearchIndexError) {
        let current: String
        do throws(KeyVaultError) { current = try await mark(of: vault) } catch {
            throw .vault(error)
        }
        do throws(EventStoreError) {
            guard let known = try await store.searchProgress(), known.mark != current else {
                return
            }
            try await store.restartSearch(current)
        } catch {
            throw .store(error)
        }
    }

    /// Adds the records since the last update.
    ///
    /// - Parameters:
    ///   - open: Opens the store for writing; called only when there are new records.
    ///   - reached: Receives the number of records that were added, and of all to add.
    /// - Returns: Whether the index follows the log to its end.
    /// - Throws: What `open`, the store or the vault throws: this process may not write, or has
    ///   other keys.
    package mutating func catchUp(
        opening open: () async throws -> any PaymentStore,
        reached: (_ done: Int64, _ all: Int64) -> Void
    ) async throws -> Bool {
        let mark = try await mark()
        guard let end = try await store.changes(after: nil, limit: 1)?.cursor else {
            return false
        }
        let known = try await store.searchProgress()
        if let known, known.mark == mark,
            known.cursor?.hasReached(end) ?? (end.distance(from: nil) == 0)
        {
            return true
        }
        let target = try await open()
        let result: Result<Bool, any Error>
        do {
            if known?.mark != mark { try await target.restartSearch(mark) }
            let start = known?.mark == mark ? known?.cursor : nil
            result = .success(
                try await follow(
                    target,
                    from: SearchProgress(mark: mark, cursor: start),
                    to: end,
                    reached
                )
            )
        } catch {
            result = .failure(error)
        }
        await target.close()
        return try result.get()
    }

    private mutating func follow(
        _ target: any PaymentStore,
        from start: SearchProgress,
        to end: LogCursor,
        _ reached: (Int64, Int64) -> Void
    ) async throws -> Bool {
        var progress = start
        while !Task.isCancelled {
            let records = try await target.records(after: progress.cursor, limit: Self.batch)
            guard let last = records.last else { return true }
            var terms: [SessionID: Set<String>] = [:]
            for positioned in records where Self.types.contains(positioned.record.type) {
                let found = try await self.terms(of: positioned.record)
                if !found.isEmpty { terms[positioned.record.stream, default: []].formUnion(found) }
            }
            progress.cursor = last.cursor
            try await target.addTerms(terms, upTo: progress)
            reached(
                last.cursor.distance(from: start.cursor) ?? 0,
                max(1, end.distance(from: start.cursor) ?? 0)
            )
        }
        return false
    }

    /// Returns the terms of a record; a record that cannot be decoded has none, and `verify`
    /// reports it.
    private mutating func terms(of record: StoredRecord) async throws -> Set<String> {
        guard let event = try? RecordReader.event(in: record) else { return [] }
        var terms = SearchTerms()
        terms.add(event.event)
        var found = terms.clear
        let unknown = terms.sealed.filter { blinded[$0] == nil }
        if !unknown.isEmpty, let keys = try await keys(of: record.stream) {
            if blinded.count > Self.mostBlinded { blinded = [:] }
            let secrets = RecordReader.secrets(in: record, keys: keys)
            for sealed in unknown {
                guard let plaintext = secrets[sealed] else { continue }
                let digest = try await vault.addressFingerprint(of: SearchTerms.blinded(plaintext))
                blinded[sealed] = SearchTerms.term(of: digest)
            }
        }
        for sealed in terms.sealed { if let term = blinded[sealed] { found.insert(term) } }
        return found
    }

    /// Returns the keys of a session; `nil` when they were destroyed, or belong to another store.
    private mutating func keys(of session: SessionID) async throws -> SessionKeys? {
        if let keys, keys.session == session { return keys.keys }
        var found: SessionKeys?
        if let wrapped = try await store.wrappedKey(of: session) {
            found = try? await vault.keys(unwrapping: wrapped, for: session)
        }
        keys = (session, found)
        return found
    }

    /// Returns the sessions that may contain the text; their logs show where.
    package func candidates(
        for wanted: Wanted
    ) async throws(SearchIndexError) -> [SessionID] {
        do {
            // The texts of notes are compared in the logs.
            var beginnings = wanted.termBeginnings + [SearchTerms.note]
            var addresses: [Digest256] = []
            for form in wanted.blindedForms {
                let digests =
                    [try await vault.addressFingerprint(of: form)]
                    + (try await vault.formerAddressFingerprints(of: form))
                beginnings += digests.map(SearchTerms.term)
            }
            if wanted.text.contains("://") {
                addresses.append(try await vault.addressFingerprint(of: wanted.text))
                addresses += try await vault.formerAddressFingerprints(of: wanted.text)
            }
            var found = try await store.sessions(
                withTermsBeginning: beginnings,
                limit: Self.mostTerms
            )
            for address in addresses {
                if let session = try await store.session(ofAddress: address) {
                    found.append(session)
                }
            }
            return found
        } catch let error as EventStoreError {
            throw .store(error)
        } catch let error as KeyVaultError {
            throw .vault(error)
        } catch {
            return []
        }
    }
}

/// Why a search index could not be used.
package enum SearchIndexError: Error, Hashable, Sendable {
    /// The store could not be read or written.
    case store(EventStoreError)
    /// A value could not be blinded.
    case vault(KeyVaultError)
}
