internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `schema`: prints the JSON Schemas of everything that this program writes.
struct SchemaCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the JSON Schemas of this program's output and files.",
        discussion: """
            Without a name, lists the schemas.

            Examples:
              workflowctl schema
              workflowctl schema session-view
              workflowctl schema events/attemptStarted
            """
    )

    @Argument(help: ArgumentHelp("The name of the schema.", valueName: "name"))
    var name: String?

    @OptionGroup var global: GlobalOptions

    var isPaged: Bool { true }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let names = EmbeddedSchemas.documents.keys.sorted()
        guard let name else {
            if global.json {
                invocation.print(.array(names.map { .string($0) }))
            } else {
                names.forEach { invocation.print($0) }
            }
            return .done
        }
        guard let document = Self.document(name) else {
            throw Failure(
                .unknown,
                "schema.unknown",
                "no such schema",
                hint: "run 'workflowctl schema' for a list"
            )
        }
        invocation.output.write(document: Array((document + "\n").utf8), isJSON: true)
        return .done
    }

    /// Returns the schema of a name, with or without its file extension.
    ///
    /// Of an event without a version, it is the newest one.
    private static func document(_ name: String) -> String? {
        let ending = [".schema.json", ".json"].first { name.hasSuffix($0) } ?? ""
        let wanted = name.dropLast(ending.count)
        let documents = EmbeddedSchemas.documents
        let versions = documents.keys.filter { $0.hasPrefix(wanted + ".v") }
        let newest = versions.max { ($0.count, $0) < ($1.count, $1) }
        return documents[String(wanted)] ?? newest.flatMap { documents[$0] }
    }
}
