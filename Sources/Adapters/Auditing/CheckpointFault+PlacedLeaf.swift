internal import EventLog
package import Inspection

extension CheckpointFault {
    /// Creates the contradiction of a leaf; `nil` when the store has the record that it names.
    package init?(_ placed: PlacedLeaf) {
        let leaf = placed.leaf
        let record = "record \(leaf.sequence) of session \(leaf.stream)"
        let (kind, message): (Kind, String)
        switch placed.found {
        case .same: return nil
        case .noSession:
            kind = .sessionRemoved
            message =
                "session \(leaf.stream) was removed: a checkpoint covers \(leaf.sequence) of its records"
        case .noRecord:
            kind = .tailCut
            message = "\(record) is missing: a checkpoint covers it"
        case .other:
            kind = .historyRewritten
            message =
                "the log of session \(leaf.stream) was rewritten: \(record) is not the one that "
                + "the checkpoint covers"
        }
        self.init(kind: kind, session: leaf.stream, sequence: leaf.sequence, message: message)
    }
}
