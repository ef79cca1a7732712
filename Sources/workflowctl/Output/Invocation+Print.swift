internal import EventLog
internal import Inspection
internal import SwedbankPay

extension Invocation {
    /// Prints the only JSON document of a command: indented for a person, on one line for a
    /// program.
    func print(_ document: JSONValue) {
        output.write(
            document: Array((JSONDocument.text(document, indented: output.isTerminal) + "\n").utf8),
            isJSON: true
        )
    }

    /// Prints one of several JSON documents of a command, on one line.
    func print(line document: JSONValue) {
        output.write(document: Array((JSONDocument.text(document) + "\n").utf8), isJSON: true)
    }

    /// Writes JSON that is part of a document.
    fileprivate func print(part text: String) {
        output.write(document: Array(text.utf8), isJSON: true)
    }

    /// Writes an error as text, with `--json` also as a JSON document on the last line.
    func printError(_ failure: Failure, asJSON: Bool) {
        diagnostics.write(failure)
        guard asJSON else { return }
        let line = JSONDocument.text(failure.json) + "\n"
        diagnostics.write(document: Array(line.utf8), isJSON: true)
    }

    /// Prints an explanation of logs: as JSON, or as text that fits the terminal.
    func print(_ explanation: some Explanation, asJSON: Bool) {
        if asJSON {
            print(explanation.json)
        } else {
            output.write(explanation.text(for: output.form))
        }
    }
}

/// Prints a JSON array whose elements are found one after the other: indented for a person, for a
/// program each on a line of its own.
///
/// A program may read the output line by line before it is complete. Without ``end()`` the array
/// stays open, so nobody takes a list that failed for a complete one.
struct JSONLines {
    private let invocation: Invocation
    private var isEmpty = true

    init(on invocation: Invocation) { self.invocation = invocation }

    /// Prints the next element.
    mutating func append(_ element: JSONValue) {
        let isIndented = invocation.output.isTerminal
        var text = JSONDocument.text(element, indented: isIndented)
        if isIndented { text = "  " + text.rewriting("\n", as: "\n  ") }
        invocation.print(part: (isEmpty ? "[\n" : ",\n") + text)
        isEmpty = false
    }

    /// Completes the array.
    func end() { invocation.print(part: isEmpty ? "[]\n" : "\n]\n") }
}

extension Sink {
    /// The layout of text for this output.
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
    /// Returns the table: aligned and truncated on a terminal, full tab-separated values elsewhere.
    func text(for sink: Sink) -> StyledText { text(for: sink.form) }
}

extension SessionID {
    /// Returns the identifier: for people the short form, which commands accept, and for programs
    /// the whole.
    func text(for sink: Sink) -> String { sink.isTerminal ? short : "\(self)" }
}

extension Instant {
    /// Returns the time: to the second for people, as it is recorded for programs.
    func text(for sink: Sink) -> String { text(for: sink.form) }
}
