internal import EventLog
internal import Inspection
internal import SwedbankPay

extension Invocation {
    /// Writes the one JSON document of a command: indented for a person, on one line for a program.
    func print(_ document: JSONValue) {
        output.write(
            document: Array((JSONDocument.text(document, indented: output.isTerminal) + "\n").utf8),
            isJSON: true
        )
    }

    /// Writes one of several JSON documents of a command, on a line.
    func print(line document: JSONValue) {
        output.write(document: Array((JSONDocument.text(document) + "\n").utf8), isJSON: true)
    }

    /// Writes what went wrong, in words; for programs also as one JSON document, on the last line.
    func printError(_ failure: Failure, asJSON: Bool) {
        note(diagnostics.style.paint("error:", .bad) + failure.tail)
        guard asJSON else { return }
        let line = JSONDocument.text(failure.json) + "\n"
        diagnostics.write(document: Array(line.utf8), isJSON: true)
    }

    /// Writes what is told of logs: the document, or text as wide as the terminal.
    func print(_ explanation: some Explanation, asJSON: Bool) {
        if asJSON {
            print(explanation.json)
        } else {
            output.write(explanation.text(for: output.form))
        }
    }
}

extension Sink {
    /// Whom text is laid out for that is written here.
    var form: TextForm {
        TextForm(
            isTerminal: isTerminal,
            columns: columns,
            style: style,
            offset: LocalTime.offset
        )
    }
}

extension Table {
    /// The text: aligned and cut on a terminal, full tab-separated values elsewhere.
    func text(for sink: Sink) -> StyledText { text(for: sink.form) }
}

extension Instant {
    /// The time as it is shown: to the second for people, as it is recorded for programs.
    func text(for sink: Sink) -> String { text(for: sink.form) }
}
