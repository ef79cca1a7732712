internal import ArgumentParser
internal import EventLog
internal import SwedbankPay

/// Whether imported sessions are included.
struct ImportedOption: ParsableArguments {
    @Flag(help: "Include imported sessions.")
    var imported = false

    /// The condition for a query.
    var origin: SessionOrigin? { imported ? nil : .own }

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
