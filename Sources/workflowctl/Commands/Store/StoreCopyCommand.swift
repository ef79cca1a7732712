internal import Adapters
internal import ArgumentParser
internal import Workflow

/// `store copy`: sessions from one store into another.
struct StoreCopyCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy the sessions of the store into another one, with their keys.",
        discussion: """
            Both ways between SQLite and PostgreSQL. What is there already is skipped, so that a copy can be repeated \
            and goes on where it was interrupted; another history of the same session is refused, and then nothing of \
            that session is written. Each session is read back and compared. Sessions stay wrapped by the same master \
            key, which the other store needs, too. Checkpoints, leases and what was told to the PSP are not copied: \
            stop the engines first, and drive the sessions in one of the stores only.

            Examples:
              workflowctl store copy sqlite:copy.db
              workflowctl store copy sqlite:copy.db --json
            """
    )

    @Argument(
        help: ArgumentHelp("The other store: sqlite:PATH or postgres://…", valueName: "to")
    )
    var target: String

    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) { _ = try StoreLocation(target) }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let (target, loop) = (try StoreLocation(target), invocation.loop)
        let source = try StoreLocation.read(global, environment: invocation.environment)
        guard source.text != target.text || source.server != target.server else {
            throw .usage("copy", "the two stores are the same one")
        }
        return try await Reader.withStore(for: self, in: invocation) { reader throws(Failure) in
            let store = try await target.open(.createIfMissing, on: loop)
            let result: Result<StoreCopy?, Failure>
            do throws(Failure) {
                result = .success(try await copy(reader, to: store))
            } catch {
                result = .failure(error)
            }
            await store.close()
            guard let copy = try result.get() else { return .interrupted }
            tell(copy, invocation)
            return copy.refused.isEmpty ? .done : .refused
        }
    }

    private func copy(
        _ reader: Reader,
        to target: any PaymentStore
    ) async throws(Failure) -> StoreCopy? {
        var copy = StoreCopy(from: reader.store, to: target, by: reader.decider)
        var last: SessionID?
        while true {
            let sessions = try await reader.store.sessions(
                after: last,
                limit: StoreCopy.sessionsAtOnce
            )
            for session in sessions {
                guard !Task.isCancelled else { return nil }
                try await copy.take(session)
            }
            guard sessions.count == StoreCopy.sessionsAtOnce else { return copy }
            last = sessions.last
        }
    }

    private func tell(_ copy: StoreCopy, _ invocation: Invocation) {
        if global.json {
            invocation.print(
                .object([
                    .init("sessions", .integer(copy.sessions)),
                    .init("written", .integer(copy.written)),
                    .init("skipped", .integer(copy.skipped)),
                    .init("refused", .array(copy.refused.map { .string("\($0.session)") })),
                ])
            )
        } else {
            invocation.print(
                "\(copy.sessions) sessions\t\(copy.written) records written\t\(copy.skipped) there already"
            )
        }
        for refusal in copy.refused { invocation.note("\(refusal.failure)") }
    }
}
