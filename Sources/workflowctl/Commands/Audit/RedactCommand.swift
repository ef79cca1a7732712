internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `redact`: writes a log that may be given to others.
struct RedactCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "redact",
        abstract: "Remove all sealed values from a log.",
        discussion: """
            Removes the ciphertexts, so that nobody can decrypt the values, even with the keys. \
            Everything else stays the same, including every hash: the result can be verified, \
            replayed and imported, and redacting it again changes nothing. A damaged log is \
            refused. Files may be compressed (.gz, .zst). 'export --redact' does the same.

            Examples:
              workflowctl redact logs.ndjson > case.ndjson
              workflowctl export SESSION | workflowctl redact - | workflowctl verify -
            """
    )

    @Argument(help: ArgumentHelp("The log file, or - for standard input.", valueName: "file"))
    var file: String

    @OptionGroup var output: OutputOption

    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        guard !global.reveal else {
            throw .usage("reveal", "'redact' cannot be combined with --reveal")
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
        return .done
    }
}
