internal import Adapters
internal import EventLog

extension Reader {
    /// Returns the keys of the search index; `nil` for a store without sealed values, which needs
    /// none.
    ///
    /// - Throws: A failure when the keys of a store with sealed values are missing.
    func searchIndexVault() async throws(Failure) -> (any KeyVault)? {
        do throws(Failure) {
            return try location.existingVault(environment: invocation.environment)
        } catch {
            guard await mayHaveSealedValues() else { return nil }
            throw error
        }
    }

    /// Whether a session has a key, or this process may not ask; a store with imported sessions
    /// only has none, and needs no key file.
    private func mayHaveSealedValues() async -> Bool {
        do throws(EventStoreError) {
            return try await store.newestWrappedKey() != nil
        } catch {
            return true
        }
    }

    /// Returns the search index after it was brought up to date; notes why it cannot be used.
    func currentSearchIndex() async -> SearchIndex? {
        do throws(Failure) {
            let vault = try await searchIndexVault()
            return await hasCurrentSearchIndex(by: vault) ? SearchIndex(of: store, by: vault) : nil
        } catch {
            noteUnusedIndex("cannot be used", because: error)
            return nil
        }
    }

    private func noteUnusedIndex(_ words: String, because error: Failure) {
        invocation.note("note: the search index \(words): \(error.message) [\(error.code)]")
        if let hint = error.hint { invocation.note("hint: \(hint)") }
    }

    /// Brings the search index up to date if that is possible, and notes why it is not.
    ///
    /// - Returns: Whether the index is up to date.
    private func hasCurrentSearchIndex(by vault: (any KeyVault)?) async -> Bool {
        do throws(Failure) {
            return try await updateSearchIndex(by: vault).isComplete
        } catch {
            noteUnusedIndex("could not be updated", because: error)
            return false
        }
    }

    /// Adds the records that the search index has not read yet.
    ///
    /// - Throws: If there are such records, also when this process may not write, or has other
    ///   keys.
    func updateSearchIndex(by vault: (any KeyVault)?) async throws(Failure) -> SearchUpdate {
        do throws(SearchIndexError) {
            if try await SearchIndex(of: store, by: vault).isCurrent() {
                return SearchUpdate(isComplete: true)
            }
        } catch {
            throw Failure(error)
        }
        return try await withSearchIndex(by: vault) { index throws(Failure) in
            do throws(SearchIndexError) {
                return try await index.update(showingTo: invocation)
            } catch {
                throw Failure(error)
            }
        }
    }

    /// Adds what any process appends to the search index, until the command is interrupted.
    ///
    /// - Throws: Also when this process has other keys, or others begin to use them.
    func followWithSearchIndex(by vault: (any KeyVault)?) async throws(Failure) -> SearchUpdate {
        if let vault { try await location.refuseForeignKeys(vault, in: store) }
        return try await withSearchIndex(by: vault) { index throws(Failure) in
            var waiting = StoreWaiting(invocation)
            var total = SearchUpdate()
            repeat {
                // Batches that were added count, also when a later one fails.
                let before = total.records
                do throws(SearchIndexError) {
                    let update = try await index.update(showingTo: invocation) {
                        total.records = before + $0
                    }
                    total.isComplete = update.isComplete
                    waiting.found()
                } catch .store(let error) where error.isTransient {
                    total.isComplete = false
                    waiting.missed(Failure(error))
                } catch {
                    throw Failure(error)
                }
            } while await waiting.pause()
            return total
        }
    }

    /// Opens the search index in the store, which is open for writing until the end of `body`.
    private func withSearchIndex(
        by vault: (any KeyVault)?,
        _ body: (inout SearchIndex) async throws(Failure) -> SearchUpdate
    ) async throws(Failure) -> SearchUpdate {
        let target = try await location.open(.existing, on: invocation.loop)
        var index = SearchIndex(of: target, by: vault)
        let result: Result<SearchUpdate, Failure>
        do throws(Failure) {
            result = .success(try await body(&index))
        } catch {
            result = .failure(error)
        }
        await target.close()
        return try result.get()
    }
}

extension SearchIndex {
    /// Adds the records since the last update, and shows the progress; `count` receives the number
    /// of records after each batch.
    fileprivate mutating func update(
        showingTo invocation: Invocation,
        counting count: (Int64) -> Void = { _ in }
    ) async throws(SearchIndexError) -> SearchUpdate {
        var line = ProgressLine(on: invocation.diagnostics, isWrittenElsewhere: true)
        defer { line.clear() }
        return try await update(reached: { done, all in
            count(done)
            line.reached(done, of: all, "updating the search index", at: invocation.now())
        })
    }
}

extension Failure {
    /// Translates the failure of a search index for the command line.
    init(_ error: SearchIndexError) {
        switch error {
        case .store(let error): self.init(error)
        case .vault(let error): self.init(error)
        case .replaced:
            self.init(
                .tryAgain,
                "store.index-replaced",
                "another process began the search index again, with other keys or another build",
                hint: "run the command again, everywhere with the same keys and the same build"
            )
        }
    }
}
