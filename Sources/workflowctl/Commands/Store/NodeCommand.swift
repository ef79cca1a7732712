internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `node`: shows the engines that share a store.
struct NodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "node",
        abstract: "List the engines that share a store.",
        discussion: """
            Examples:
              workflowctl node list
            """,
        subcommands: [NodeListCommand.self]
    )
}

/// `node list`: lists the engines that share a store.
struct NodeListCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the engines that share the store and how many sessions each one holds.",
        discussion: """
            A node is listed from its first session until it stops. A silent node has not \
            renewed its leases in time, and other nodes take over its sessions. For a SQLite \
            file the list is empty, because the operating system's locks are used instead.

            Examples:
              workflowctl node list
              workflowctl node list --json
            """
    )

    @OptionGroup var global: GlobalOptions

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        try StoreLocation.refuseService(global, environment: invocation.environment)
        return try await Reader.withStore(for: self, in: invocation) { reader throws(Failure) in
            let nodes: [StoreNode]
            do throws(EventStoreError) {
                nodes = try await (reader.store as? any SharedStore)?.nodes() ?? []
            } catch {
                throw Failure(error)
            }
            if global.json {
                invocation.print(.array(nodes.map(\.json)))
            } else {
                let output = invocation.output
                let table = Table(
                    columns: ["node", "name", "since", "state", "sessions"],
                    rows: nodes.map {
                        [
                            "\($0.number)", $0.name, $0.startedAt.text(for: output),
                            $0.isSilent ? "silent" : "alive", "\($0.leases)",
                        ]
                    }
                )
                output.write(table.text(for: output))
            }
            return .done
        }
    }
}

extension StoreNode {
    /// The node as JSON; its number is a string, since not every JSON parser supports integers of
    /// that size.
    fileprivate var json: JSONValue {
        [
            "node": .string("\(number)"), "name": .string(Screen.safe(name)),
            "startedAt": .string("\(startedAt)"), "until": .string("\(until)"),
            "silent": .bool(isSilent), "sessions": .integer(Int64(leases)),
        ]
    }
}
