package import EventLog
package import Inspection

/// The proof that a store's newest checkpoint covers the log of a session.
package struct SessionProof: Sendable {
    /// The checkpoint with the proof, as it is written to a file.
    package let document: CheckpointDocument
    /// The last record that it covers.
    package let covered: SequenceNumber
    /// The last record of the log when the proof was made; `nil` when the store has none.
    package let last: SequenceNumber?

    /// Makes the proof from all leaves that the newest checkpoint covers.
    ///
    /// - Throws: ``SessionProofError`` when there is no proof, or when the store contradicts the
    ///   checkpoint: then nothing is proven.
    package init(
        of session: SessionID,
        in store: any PersistentStore
    ) async throws(SessionProofError) {
        let tree: CheckpointTree
        do throws(CheckpointTreeError) { tree = try await CheckpointTree.read(store) } catch {
            throw .tree(error)
        }
        let (placed, head): (PlacedLeaf?, StreamHead?)
        do throws(EventStoreError) {
            placed = try await store.newestLeaf(
                of: session,
                below: tree.newest.checkpoint.size
            )
            head = try await store.head(of: session)
        } catch {
            throw .tree(.store(error))
        }
        guard let placed, let path = tree.tree.inclusion(of: placed.place) else {
            throw head == nil ? .unknownSession(session) : .notCovered(session)
        }
        if let fault = CheckpointFault(placed) { throw .fault(fault) }
        document = CheckpointDocument(
            tree.newest,
            inclusion: .init(index: placed.place, leaf: placed.leaf, path: path)
        )
        (covered, last) = (placed.leaf.sequence, head?.sequence)
    }
}

/// Why there is no proof that a checkpoint covers a session.
package enum SessionProofError: Error, Hashable, Sendable {
    /// The store's newest checkpoint proves nothing.
    case tree(CheckpointTreeError)
    /// The store does not have the session.
    case unknownSession(SessionID)
    /// The session was opened after the newest checkpoint.
    case notCovered(SessionID)
    /// The store contradicts the checkpoint.
    case fault(CheckpointFault)
}
