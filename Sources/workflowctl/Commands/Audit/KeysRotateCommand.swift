internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// `keys rotate`: wraps all data keys anew.
struct KeysRotateCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Replace the master key: wrap every session's data key anew.",
        discussion: """
            With a key file a new key is made and put in front of the old one, which stays until 'keys forget'. Keys \
            from a command or the environment are replaced by whoever keeps them: put the new one in front of the old \
            one, or name a file with the old one (--from). No event is rewritten; engines may go on meanwhile. \
            Interrupted, the same command goes on.

            Examples:
              workflowctl keys rotate
              workflowctl keys rotate --json
            """
    )

    @Option(
        help: ArgumentHelp("A key file whose keys open what they wrapped.", valueName: "file")
    )
    var from: String?

    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        try await Keeper.withStore(for: self, in: invocation) { keeper throws(Failure) in
            let work = try KeyWork(keeper, alsoFrom: from)
            try await work.addKeyUnlessUnfinished()
            let done = try await work.run()
            tell(done, work, invocation)
            if done.progress.unopened > 0 {
                invocation.note(
                    "\(Failure(.refused, "vault.wrong-key", "no master key at hand opens the keys of \(done.progress.unopened) sessions; they stay as they are", hint: "'workflowctl keys list' tells which keys wrapped them; give a file with one with --from"))"
                )
                return .refused
            }
            if let failure = Erasure.failure(of: done.removal) { throw failure }
            return .done
        }
    }

    private func tell(_ done: KeyWork.Done, _ work: KeyWork, _ invocation: Invocation) {
        if global.json {
            invocation.print([
                "key": .string(done.key.description),
                "sessions": .integer(Int64(done.progress.seen)),
                "rewrapped": .integer(Int64(done.progress.rewrapped)),
                "unopened": .integer(Int64(done.progress.unopened)),
                "unneeded": .array(done.unneeded.map { .string($0.description) }),
                "tracesRemoved": .bool(done.removal == .done),
            ])
            return
        }
        invocation.print(
            "keys wrapped anew: \(done.progress.rewrapped) of \(done.progress.seen), by \(done.key)"
        )
        for key in done.unneeded {
            invocation.note(
                work.isKeyFile
                    ? "\(key) is not needed any more: 'workflowctl keys forget' takes it out of the key file"
                    : "\(key) is not needed any more"
            )
        }
    }
}

/// `keys forget`: takes master keys that nothing needs any more out of the key file.
struct KeysForgetCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Take the master keys that nothing needs any more out of the key file.",
        discussion: """
            Refused while a session needs one of them. What the search index has blinded with them is removed, too; the next \
            'find' fills it again. Run it when every engine that was running before 'keys rotate' \
            has looked at the key file again, which it does with the next session.

            Examples:
              workflowctl keys forget
              workflowctl keys forget --json
            """
    )

    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        try await Keeper.withStore(for: self, in: invocation) { keeper throws(Failure) in
            let work = try KeyWork(keeper, alsoFrom: nil)
            guard let file = work.file else {
                throw Failure(
                    .configuration,
                    "vault.not-in-file",
                    "the master keys do not come from a key file",
                    hint:
                        "take the old ones away where they are kept; 'workflowctl keys list' tells whether a session needs them"
                )
            }
            // Sessions that an engine took in with the old key since.
            let done = try await work.run()
            let former = file.identities.dropFirst()
            let needed = former.filter { !done.unneeded.contains($0) }
            guard needed.isEmpty else {
                throw Failure(
                    .refused,
                    "vault.key-in-use",
                    "sessions still need the master key \(needed.map(\.description).joined(separator: ", "))",
                    hint: "run 'workflowctl keys rotate' first"
                )
            }
            if let vault = try keeper.location.vault(environment: invocation.environment) {
                try await SearchIndex.restart(keeper.store, for: vault)
            }
            do throws(KeyVaultError) { try file.removeFormerKeys() } catch { throw Failure(error) }
            if global.json {
                invocation.print([
                    "key": .string(done.key.description),
                    "forgotten": .array(former.map { .string($0.description) }),
                ])
            } else {
                for key in former { invocation.print("\(key)\tforgotten") }
            }
            if let failure = Erasure.failure(of: done.removal) { throw failure }
            return .done
        }
    }
}
