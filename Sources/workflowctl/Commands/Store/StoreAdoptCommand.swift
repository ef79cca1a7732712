internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// `store adopt`: declares that this store is the one in use, for example after a restore.
struct StoreAdoptCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "adopt",
        abstract: "Say that this store is the one that lives, after a restore, a copy or a move.",
        discussion: """
            A store that was put back to an earlier state, or copied, lacks what was sent since, or what the other copy \
            sends now: nothing is sent from it (store.not-adopted), since a payment might be made twice. First make sure \
            that no engine works with another copy, and never will. Then adopt this one: each session that goes on \
            is to ask the PSP how the payment stands before it sends anything, and the log says who adopted the store \
            and why. Where nothing is in doubt, nothing is done.

            Examples:
              workflowctl store adopt --reason "restored the backup of 10:00"
              workflowctl store adopt --reason "moved to another machine" --json
            """
    )

    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        guard global.reason != nil else {
            throw .usage(
                "reason",
                "a reason has to be given",
                hint:
                    "say with --reason TEXT what was restored or moved; it is recorded in the logs"
            )
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        try await Reader.withStore(for: self, in: invocation) { reader throws(Failure) in
            let found: StoreLineage
            do throws(EventStoreError) {
                found = try await reader.store.lineage()
            } catch {
                throw Failure(error)
            }
            guard let doubt = found.doubt else {
                tell(found, Adoption(), "nothing is in doubt: nothing was changed", invocation)
                return .done
            }
            invocation.note("note: \(doubt.words)")
            let (adopted, adoption) = try await adopt(by: reader, in: invocation)
            tell(adopted, adoption, "adopted, epoch \(adopted.identity.epoch)", invocation)
            for (session, failure) in adoption.skipped {
                invocation.note("note: session \(session) stays as it is: \(failure)")
            }
            return .done
        }
    }

    /// The changes to the sessions.
    private struct Adoption {
        var sessions: Int64 = 0
        var skipped: [(session: SessionID, failure: String)] = []
    }

    /// Records the adoption in every session before the store is adopted, so that it can be
    /// repeated after an interruption.
    private func adopt(
        by reader: Reader,
        in invocation: Invocation
    ) async throws(Failure) -> (StoreLineage, Adoption) {
        var adoption = Adoption()
        let (acted, decider) = (reader.person.acted(SessionDecider.adopting), reader.decider)
        let rows = try await reader.store.allSessions(matching: SessionQuery(origin: .own))
        let store = try await reader.location.open(.existing, on: invocation.loop)
        let result: Result<StoreLineage, Failure>
        do throws(Failure) {
            let trail = reader.trail(on: store)
            for row in rows where row.outcome == nil {
                try refuseWhenCanceled()
                do throws(Failure) {
                    try await trail.append(to: row.session, cause: "command.adopt") { log in
                        let state = log.state
                        let now = max(state.lastAt, invocation.now())
                        return decider.adoption(by: acted, in: state, at: now)
                    }
                    adoption.sessions += 1
                } catch  where error.code == EngineError.notAuthentic(row.session, sequence: 1).code
                {
                    // Such a session is not driven.
                    adoption.skipped.append((row.session, "\(error.message) [\(error.code)]"))
                }
            }
            do throws(EventStoreError) {
                result = .success(try await store.adopt())
            } catch {
                throw Failure(error)
            }
        } catch {
            result = .failure(error)
        }
        await store.close()
        return (try result.get(), adoption)
    }

    private func refuseWhenCanceled() throws(Failure) {
        guard Task.isCancelled else { return }
        throw Failure(
            .interrupted,
            "store.not-adopted",
            "interrupted: the store is not adopted",
            hint: "run the command again"
        )
    }

    private func tell(
        _ lineage: StoreLineage,
        _ adoption: Adoption,
        _ words: String,
        _ invocation: Invocation
    ) {
        guard global.json else {
            invocation.print(
                "\(words)\t\(adoption.sessions) session\(adoption.sessions == 1 ? "" : "s") to be read first"
            )
            return
        }
        invocation.print([
            "id": .string(lineage.identity.id),
            "epoch": .integer(lineage.identity.epoch),
            "sessions": .integer(adoption.sessions),
            "skipped": .array(adoption.skipped.map { .string("\($0.session)") }),
        ])
    }
}
