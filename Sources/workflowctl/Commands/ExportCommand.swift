internal import Adapters
internal import ArgumentParser
internal import Workflow

/// `export`: logs out of a store.
struct ExportCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write logs, one record a line.",
        discussion: """
            Sealed values stay sealed, and the keys stay in the store: with the file alone nobody can read them, \
            unless --reveal was given.

            Examples:
              workflowctl export -o logs.ndjson
              workflowctl export SESSION | workflowctl verify -
            """
    )

    @Argument(help: ArgumentHelp("The sessions; all when left out.", valueName: "id"))
    var ids: [String] = []

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("The file to write, or - for standard output.", valueName: "file")
    )
    var output = "-"

    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        for id in ids { _ = try SessionArgument.session(id) }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        var sessions: [SessionID] = []
        for id in ids { sessions.append(try SessionArgument.session(id)) }
        let wanted = sessions
        return try await Reader.withStore(for: self, in: invocation, session: wanted.first) {
            reader throws(Failure) in
            let chosen =
                wanted.isEmpty
                ? try await reader.store.allSessions().map(\.session).reversed() : wanted
            var (file, count) = ([UInt8](), 0)
            for session in chosen {
                let records = try await SessionLog.records(of: session, in: reader.store)
                guard !records.isEmpty else { throw Failure(EngineError.unknownSession(session)) }
                count += records.count
                let keys = global.reveal ? try await reader.keys(of: session) : nil
                var lines: [UInt8] = []
                for record in records {
                    let line = LogLine.encode(record)
                    lines += (keys.map { Revealing.line(line, record, $0) } ?? line) + [0x0A]
                }
                if output == "-" {
                    invocation.output.take(lines)
                } else {
                    file += lines
                }
            }
            if output != "-" {
                try FileBytes.replace(output, with: file)
                invocation.note("records written: \(count), sessions: \(chosen.count)")
            }
            return .done
        }
    }
}
