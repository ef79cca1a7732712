internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// The verification of a store by a command: prints its progress, and continues where a progress
/// file says.
struct VerificationRun {
    private let invocation: Invocation
    private let verification: StoreVerification

    /// Creates the verification of a reader's store.
    ///
    /// With a `vault`, every seal is opened; with `nil`, the seals are only counted.
    init(_ reader: Reader, vault: (any KeyVault)? = nil) {
        invocation = reader.invocation
        verification = StoreVerification(
            of: reader.store,
            by: reader.decider,
            build: Build.version,
            vault: vault,
            now: reader.invocation.now
        )
    }

    /// Verifies the whole store, and returns `nil` when it was interrupted.
    ///
    /// `resumption` stores the position from which the check continues after an interruption.
    func verifyAll(resuming resumption: Resumption? = nil) async throws(Failure) -> Verification? {
        var line = ProgressLine(on: invocation.diagnostics)
        defer { line.clear() }
        let marks = resumption.map { ResumptionMarks(resumption: $0, invocation: invocation) }
        let ending: StoreVerification.Ending
        do throws(StoreVerificationError) {
            ending = try await verification.verifyAll(resuming: marks) { news in
                show(news, &line)
            }
        } catch {
            throw Failure(error)
        }
        line.clear()
        switch ending {
        case .verified(let verification): return verification
        case .interrupted(.records(let done, let all)):
            invocation.note("interrupted after \(done) of \(all) records")
            if resumption != nil { invocation.note("run the command again to continue") }
        case .interrupted(.sessions):
            if resumption != nil {
                invocation.note("interrupted; run the command again to continue")
            }
        }
        return nil
    }

    /// Verifies one session; returns `nil` when the store's index does not contain it.
    func verify(_ session: SessionID) async throws(Failure) -> Verification? {
        var line = ProgressLine(on: invocation.diagnostics)
        do throws(StoreVerificationError) {
            return try await verification.verify(session) { news in show(news, &line) }
        } catch {
            throw Failure(error)
        }
    }

    private func show(_ news: StoreVerification.News, _ line: inout ProgressLine) {
        switch news {
        case .continuing(let mark): note(Resumption.continuation(from: mark), &line)
        case .continuingBySession(let mark): note(Resumption.continuation(from: mark), &line)
        case .reached(.records(let done, let all)):
            line.reached(done, of: all, "\(done) of \(all) records", at: invocation.now())
        case .reached(.sessions(let done)):
            line.reached(done, of: 0, "\(done) sessions", at: invocation.now())
        case .leavesOutSeals:
            note("no sealed value was decrypted: this role cannot read the sessions' keys", &line)
        case .leavesOutAddresses:
            note("the mapping of session URLs was not checked: only engines can read it", &line)
        }
    }

    private func note(_ words: String, _ line: inout ProgressLine) {
        line.clear()
        invocation.note(words)
    }
}

/// The progress file of a verification, which says on standard error if it is trusted without
/// proof.
private struct ResumptionMarks: VerificationMarks {
    let resumption: Resumption
    let invocation: Invocation

    func storeMark() async throws -> StoreAuditMark? { try await resumption.read(invocation) }

    func sessionMark() async throws -> SessionAuditMark? {
        try await resumption.readOfServer(invocation)
    }

    func keep(_ mark: StoreAuditMark) async throws { try await resumption.write(mark) }

    func keep(_ mark: SessionAuditMark) async throws { try await resumption.write(mark) }

    func forget() throws { try resumption.forget() }
}

extension Failure {
    /// Translates the failure of a verification for the command line.
    init(_ error: StoreVerificationError) {
        switch error {
        case .store(let error): self.init(error)
        case .otherStore(let reason): self = Resumption.otherStore(reason)
        case .marks(let error):
            self = error as? Failure ?? Failure(.defect, "log.unreadable", "\(error)")
        }
    }
}
