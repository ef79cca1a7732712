internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

extension CheckpointFault {
    /// Returns the contradiction as the failure of a command.
    func failure(stillTrue: String?) -> Failure {
        Failure(.damaged, code, message, hint: stillTrue)
    }
}

extension Failure {
    /// Translates the failure to build a checkpoint's tree.
    init(_ error: CheckpointTreeError) {
        switch error {
        case .store(let error): self.init(error)
        case .noCheckpoint: self = .noCheckpoint
        case .tooManyLeaves:
            self.init(
                .usage,
                "checkpoint.too-many-leaves",
                "the checkpoint covers more than \(CheckpointTree.leavesLimit) log ends",
                hint:
                    "leave out --leaves, or use 'checkpoint prove' for a single session"
            )
        case .wrongRoot:
            self.init(
                .damaged,
                "checkpoint.wrong-root",
                "the store's leaves do not match the root of its latest checkpoint",
                hint: "run 'workflowctl checkpoint verify' to find the first contradiction"
            )
        }
    }

    /// Translates the failure to prove that a checkpoint covers a session.
    init(_ error: SessionProofError) {
        switch error {
        case .tree(let error): self.init(error)
        case .unknownSession(let session): self.init(EngineError.unknownSession(session))
        case .notCovered(let session):
            self.init(
                .refused,
                "checkpoint.not-covered",
                "no checkpoint covers session \(session) yet",
                hint: "run 'workflowctl checkpoint create'"
            )
        case .fault(let fault): self = fault.failure(stillTrue: nil)
        }
    }

    /// The failure when there is no checkpoint.
    static let noCheckpoint = Failure(
        .unknown,
        "checkpoint.none",
        "the store has no checkpoint",
        hint: "create one with 'workflowctl checkpoint create'"
    )
}

extension CheckpointTree {
    /// Builds the tree of a command's store.
    static func read(
        in reader: Reader,
        keepsLeaves: Bool = false
    ) async throws(Failure) -> CheckpointTree {
        do throws(CheckpointTreeError) {
            return try await read(reader.store, keepsLeaves: keepsLeaves)
        } catch {
            throw Failure(error)
        }
    }
}
