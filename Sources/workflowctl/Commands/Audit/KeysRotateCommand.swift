internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// `keys rotate`: rewraps all data keys with a new master key.
struct KeysRotateCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Replace the master key by wrapping every session's data key with a new one.",
        discussion: """
            With a key file, generates a new key and puts it in front of the old one, which \
            stays in the file until you run 'keys forget'. If the keys come from a command or \
            the environment, replace them there: put the new key in front of the old one, or \
            name a file with the old key (--from). No event is changed, and engines can keep \
            running. If interrupted, run the command again to continue.

            Examples:
              workflowctl keys rotate
              workflowctl keys rotate --json
            """
    )

    @Option(
        help: ArgumentHelp("A file with the old keys.", valueName: "file")
    )
    var from: String?

    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        try await Keeper.withStore(for: self, in: invocation) { keeper throws(Failure) in
            let replacement = try keeper.keyReplacement(alsoFrom: from)
            let done = try await keeper.rewrapKeys(with: replacement, addingKey: true)
            printResult(done, isKeyFile: replacement.isKeyFile, invocation)
            if done.progress.unopened > 0 {
                invocation.note(
                    "\(Failure(.refused, "vault.wrong-key", "no available master key unwraps the keys of \(done.progress.unopened) sessions; they were not changed", hint: "'workflowctl keys list' shows which master keys wrapped them; name a file that has one with --from"))"
                )
                return .refused
            }
            if let failure = done.traces.flatMap(Failure.pending) { throw failure }
            return .done
        }
    }

    private func printResult(
        _ done: MasterKeyReplacement.Done,
        isKeyFile: Bool,
        _ invocation: Invocation
    ) {
        if global.json {
            invocation.print([
                "key": .string(done.key.description),
                "sessions": .integer(Int64(done.progress.seen)),
                "rewrapped": .integer(Int64(done.progress.rewrapped)),
                "unopened": .integer(Int64(done.progress.unopened)),
                "unneeded": .array(done.unneeded.map { .string($0.description) }),
                "tracesRemoved": .bool(done.traces.map { $0 == .done } ?? true),
            ])
            return
        }
        invocation.print(
            "data keys rewrapped: \(done.progress.rewrapped) of \(done.progress.seen), with \(done.key)"
        )
        for key in done.unneeded {
            invocation.note(
                isKeyFile
                    ? "\(key) is no longer needed; 'workflowctl keys forget' removes it from the key file"
                    : "\(key) is no longer needed"
            )
        }
    }
}

/// `keys forget`: removes unused master keys from the key file.
struct KeysForgetCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Remove master keys that are no longer needed from the key file.",
        discussion: """
            Refused while a session needs one of them. Search terms that were blinded with these \
            keys are removed; the next 'find' adds them again. Run this only after every engine \
            that was running before 'keys rotate' has started at least one new session, because \
            engines read the key file again at that point.

            Examples:
              workflowctl keys forget
              workflowctl keys forget --json
            """
    )

    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        try await Keeper.withStore(for: self, in: invocation) { keeper throws(Failure) in
            let replacement = try keeper.keyReplacement()
            guard replacement.isKeyFile else { throw Failure(MasterKeyReplacementError.notInFile) }
            // Sessions that an engine opened with the old key meanwhile.
            let done = try await keeper.rewrapKeys(with: replacement, addingKey: false)
            let former: [MasterKeyIdentity]
            do throws(MasterKeyReplacementError) {
                former = try await replacement.forgetFormerKeys(after: done)
            } catch {
                throw Failure(error)
            }
            if global.json {
                invocation.print([
                    "key": .string(done.key.description),
                    "forgotten": .array(former.map { .string($0.description) }),
                ])
            } else {
                for key in former { invocation.print("\(key)\tforgotten") }
            }
            if let failure = done.traces.flatMap(Failure.pending) { throw failure }
            return .done
        }
    }
}
