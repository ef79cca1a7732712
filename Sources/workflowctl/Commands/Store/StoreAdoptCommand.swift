internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// `store adopt`: confirms that this store is the live one, not a copy.
struct StoreAdoptCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "adopt",
        abstract: "Declare this store the live one after a restore, copy or move.",
        discussion: """
            A store that was restored from a backup or copied may lack requests that were sent \
            later or by the other copy. To prevent double payments, nothing is sent from such a \
            store until it is adopted (store.not-adopted). First make sure that no engine uses \
            another copy, now or later. After adoption, each session that has not ended reads \
            its payment at the PSP before it sends anything. The log records who adopted the \
            store and why. A checkpoint beside the store that covers lost records is kept under \
            another name, and 'verify' names it from then on. A store that does not need to be \
            adopted is not changed.

            Examples:
              workflowctl store adopt --reason "restored the backup of 10:00"
              workflowctl store adopt --reason "moved to another machine" --json
            """
    )

    @OptionGroup var global: GlobalOptions

    static var commonOptions: Set<String> { ["--by", "--reason"] }

    func refuseBadArguments() throws(Failure) {
        guard global.reason != nil else {
            throw .usage(
                "reason",
                "--reason is required",
                hint:
                    "explain with --reason TEXT what was restored or moved; the reason is "
                    + "recorded in the logs"
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
            let lacksCheckpointed = try await lacksCheckpointed(reader)
            guard found.doubt != nil || lacksCheckpointed else {
                printResult(
                    found,
                    Adoption(),
                    "the store does not need to be adopted; nothing was changed",
                    invocation
                )
                return .done
            }
            if let doubt = found.doubt { invocation.note("note: \(doubt.words)") }
            let (adopted, adoption) = try await adopt(by: reader, in: invocation)
            if lacksCheckpointed {
                let name = try reader.location.retireCheckpoint(beginning: adopted.identity.epoch)
                invocation.note(
                    "note: the checkpoint beside the store covers records that were lost; it is "
                        + "kept as \(Screen.safe(name))"
                )
            }
            printResult(adopted, adoption, "adopted, epoch \(adopted.identity.epoch)", invocation)
            for (session, failure) in adoption.skipped {
                invocation.note("note: session \(session) was not changed: \(failure)")
            }
            return .done
        }
    }

    /// Whether the store lacks what the checkpoint beside it covers, as after a restore.
    private func lacksCheckpointed(_ reader: Reader) async throws(Failure) -> Bool {
        guard let beside = try reader.location.checkpointBeside()?.signed.checkpoint else {
            return false
        }
        do throws(EventStoreError) {
            return try await !reader.store.has(beside)
        } catch {
            throw Failure(error)
        }
    }

    /// What was recorded in the sessions.
    private struct Adoption {
        var sessions: Int64 = 0
        var skipped: [(session: SessionID, failure: String)] = []
    }

    /// Records the adoption in every session, and then in the store.
    ///
    /// If that is interrupted, the store remains unconfirmed, and the adoption can be repeated.
    private func adopt(
        by reader: Reader,
        in invocation: Invocation
    ) async throws(Failure) -> (StoreLineage, Adoption) {
        var adoption = Adoption()
        let (acted, decider) = (reader.person.acted(SessionDecider.adopting), reader.decider)
        // All rows: which sessions are open is read from their logs.
        let rows = try await reader.store.allSessions()
        let store = try await reader.location.open(.existing, on: invocation.loop)
        let result: Result<StoreLineage, Failure>
        do throws(Failure) {
            let trail = reader.trail(on: store)
            for row in rows where !row.isForeign {
                try refuseWhenCanceled()
                var isOpen = false
                do throws(Failure) {
                    try await trail.append(to: row.session, cause: "command.adopt") { log in
                        let state = log.state
                        isOpen = state.outcome == nil
                        guard isOpen else { return [] }
                        let now = max(state.lastAt, invocation.now())
                        return decider.adoption(by: acted, in: state, at: now)
                    }
                    if isOpen { adoption.sessions += 1 }
                } catch  where error.status == .damaged {
                    // No engine drives it.
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
            "interrupted before the store was adopted",
            hint: "run the command again"
        )
    }

    private func printResult(
        _ lineage: StoreLineage,
        _ adoption: Adoption,
        _ words: String,
        _ invocation: Invocation
    ) {
        guard global.json else {
            invocation.print(
                "\(words)\t\(adoption.sessions) session\(adoption.sessions == 1 ? "" : "s") will "
                    + "first be read at the PSP"
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
