internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `keys`: manages the master keys.
struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "List and replace a store's master keys.",
        discussion: """
            Each session has a data key, and a master key wraps the data keys. Master keys are \
            identified by the first bytes of their hash; no command prints a key.

            Examples:
              workflowctl keys list
              workflowctl keys rotate
              workflowctl keys forget
            """,
        subcommands: [KeysListCommand.self, KeysRotateCommand.self, KeysForgetCommand.self]
    )
}

/// `keys list`: lists the master keys and what each wraps.
struct KeysListCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the master keys and how many sessions each one wraps.",
        discussion: """
            The first key wraps the keys of new sessions ("wraps"). Other available keys can \
            only unwrap ("opens"). Keys that sessions need but that are not available are listed \
            as "missing". This command does not need any keys.

            Examples:
              workflowctl keys list
              workflowctl keys list --json
            """
    )

    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        try await Keeper.withStore(for: self, in: invocation, access: .readOnly) {
            keeper throws(Failure) in
            let ring = try keeper.location.vault(environment: invocation.environment)
            let held = (ring as? any MasterKeyHolder)?.identities ?? []
            let census: [MasterKeyIdentity?: Int]
            do throws(EventStoreError) { census = try await keeper.store.keyCounts() } catch {
                throw Failure(error)
            }
            var rows = held.enumerated().map { index, key in
                (key.description, index == 0 ? "wraps" : "opens", census[key] ?? 0)
            }
            let others = census.keys.compactMap(\.self).filter { !held.contains($0) }.sorted()
            rows += others.map { ($0.description, "missing", census[$0] ?? 0) }
            if let foreign = census[nil] { rows.append(("other", "missing", foreign)) }
            printResult(rows, invocation)
            return .done
        }
    }

    private func printResult(_ rows: [(String, String, Int)], _ invocation: Invocation) {
        if global.json {
            invocation.print(
                .array(
                    rows.map { identity, role, sessions in
                        [
                            "identity": .string(identity), "role": .string(role),
                            "sessions": .integer(Int64(sessions)),
                        ]
                    }
                )
            )
        } else {
            let table = Table(
                columns: ["identity", "role", "sessions"],
                rows: rows.map { [$0, $1, "\($2)"] }
            )
            invocation.output.write(table.text(for: invocation.output))
        }
    }
}
