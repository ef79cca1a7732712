internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `redact`: writes a log without its sealed values, for third parties.
struct RedactCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "redact",
        abstract: "Make a log fit to be shown: what is sealed is left out.",
        discussion: """
            The seals are left out, so that nobody can open them, not even with the keys; all else stays as it was, and \
            with it every hash. The result verifies, replays and imports as before; redacting it again changes nothing. \
            Only in records of the earlier form, without a MAC, text is masked where it looks secret; 'verify' counts these. A \
            damaged log is refused. Files may be compressed (.gz, .zst). The same is done by 'export --redact'.

            Examples:
              workflowctl redact logs.ndjson > case.ndjson
              workflowctl export SESSION | workflowctl redact - | workflowctl verify -
            """
    )

    @Argument(help: ArgumentHelp("The file, or - for standard input.", valueName: "file"))
    var file: String

    @OptionGroup var output: OutputOption

    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        guard !global.reveal else {
            throw .usage("reveal", "'redact' leaves out what --reveal would show")
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        var lines = LogReader(try LogInput.open(file, in: invocation).source)
        let sink = try output.sink(in: invocation)
        var redaction = LogRedaction()
        var count = 0
        while let entry = try lines.next() {
            guard !Task.isCancelled else { return .interrupted }
            switch entry {
            case .fault(let fault): throw Verification.Fault(fault).failure
            case .record(let record, _):
                try sink.write(LogLine.encode(try redaction.redacted(record)) + [0x0A])
                count += 1
            }
        }
        try sink.finish()
        if output.isFile { invocation.note("records written: \(count)") }
        if let words = redaction.masked.words { invocation.note(words) }
        return .done
    }
}
