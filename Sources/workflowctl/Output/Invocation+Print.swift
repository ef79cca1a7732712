internal import EventLog
internal import Inspection
internal import SwedbankPay

extension Invocation {
    /// Writes the command's only JSON document: indented on a terminal, on one line elsewhere.
    func print(_ document: JSONValue) {
        output.write(
            document: Array((JSONDocument.text(document, indented: output.isTerminal) + "\n").utf8),
            isJSON: true
        )
    }

    /// Writes one of several JSON documents of a command as a line.
    func print(line document: JSONValue) {
        output.write(document: Array((JSONDocument.text(document) + "\n").utf8), isJSON: true)
    }

    /// Writes an error as text, with `--json` also as a JSON document on the last line.
    func tell(_ failure: Failure, asJSON: Bool) {
        note(diagnostics.style.paint("error:", .bad) + failure.tail)
        guard asJSON else { return }
        let line = JSONDocument.text(failure.json) + "\n"
        diagnostics.write(document: Array(line.utf8), isJSON: true)
    }

    /// Writes a report about logs: the JSON document, or text in the width of the terminal.
    func print(_ explanation: some Explanation, asJSON: Bool) {
        if asJSON {
            print(explanation.json)
        } else {
            output.write(explanation.text(for: output.form))
        }
    }
}

extension Sink {
    /// The layout of text for the output.
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
    /// Returns the table: aligned and truncated on a terminal, complete and tab-separated
    /// elsewhere.
    func text(for sink: Sink) -> StyledText { text(for: sink.form) }
}

extension Instant {
    /// Returns the time as it is displayed: in seconds for people, with full precision for
    /// programs.
    func text(for sink: Sink) -> String { text(for: sink.form) }
}
