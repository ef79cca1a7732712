internal import ArgumentParser
internal import EventLog
internal import SwedbankPay

/// Whether imported sessions are included.
struct ImportedOption: ParsableArguments {
    @Flag(
        help: "Include imported sessions; in text, they are included if the store has no others."
    )
    var imported = false

    /// Returns the condition for a query.
    ///
    /// A store with nothing but imported sessions, as support makes it from a log, does not look
    /// empty to people: they are included. Programs, which read JSON, get what they asked for.
    func origin(
        in reader: Reader,
        for global: GlobalOptions
    ) async throws(Failure) -> SessionOrigin? {
        guard !imported else { return nil }
        guard !global.json else { return .own }
        do throws(EventStoreError) {
            let own = try await reader.store.sessions(
                matching: SessionQuery(origin: .own, limit: 1)
            )
            let other = try await reader.store.sessions(
                matching: SessionQuery(origin: .imported, limit: 1)
            )
            guard own.isEmpty, !other.isEmpty else { return .own }
        } catch {
            throw Failure(error)
        }
        reader.invocation.note("note: this store has only imported sessions, which are included")
        return nil
    }

    /// Says that imported sessions are missing from an empty result, if the store has any.
    func noteLeftOut(of reader: Reader) async {
        let query = SessionQuery(origin: .imported, limit: 1)
        // Only a hint, which must not fail a command whose own reads succeeded.
        guard !imported, let found = try? await reader.store.sessions(matching: query),
            !found.isEmpty
        else { return }
        reader.invocation.note(
            "hint: imported sessions were left out; --imported includes them"
        )
    }
}
