internal import EventLog

extension KeyedStore {
    /// Removes the remains of destroyed keys, and returns what is left to do.
    ///
    /// It does not throw: the keys are destroyed, and a failure here must not look as if nothing
    /// had been done.
    ///
    /// - Parameters:
    ///   - destroyed: The keys.
    ///   - patience: How long to wait for other readers and writers.
    /// - Returns: What was removed; ``TraceRemoval/postponed(reason:)`` after a failure.
    package func traceRemoval(
        of destroyed: DestroyedKeys,
        within patience: Duration = Erasure.patience
    ) async -> TraceRemoval {
        do throws(EventStoreError) {
            return try await removeTraces(of: destroyed, within: patience)
        } catch {
            return .postponed(reason: "\(error.description) [\(error.code)]")
        }
    }
}
