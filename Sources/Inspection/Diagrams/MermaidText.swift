internal import SwedbankPay

/// Writes a sequence diagram in the Mermaid language, for Markdown pages and tickets.
///
/// In text from outside, every character but letters, digits and harmless signs is written as a
/// character code, so that it cannot end its line, begin another statement or become markup where
/// the diagram is displayed.
package enum MermaidText {
    /// The diagram's source.
    package static func text(_ diagram: SequenceDiagram) -> String {
        var lines = ["sequenceDiagram", "    title " + escaped(diagram.title)]
        let lanes = diagram.lanes
        lines += lanes.map { "    participant \($0.name) as \(escaped($0.title))" }
        for step in diagram.steps {
            lines.append("    " + statement(step, among: lanes))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func statement(
        _ step: SequenceDiagram.Step,
        among lanes: [SequenceDiagram.Lane]
    ) -> String {
        let text = escaped("\(step.number) \(step.text)")
        switch step.shape {
        case .message(let from, let to, let arrow):
            let sign =
                switch arrow {
                case .request: "->>"
                case .response: "-->>"
                case .lost: "-x"
                }
            return "\(from.name)\(sign)\(to.name): \(text)"
        case .note(let over): return "Note over \(names(over, lanes)): \(text)"
        case .gap:
            return "Note over \(names(.payer ... .bank, lanes)): \(escaped(step.text))"
        }
    }

    /// The names of the first and the last drawn lane of a range.
    private static func names(
        _ range: ClosedRange<SequenceDiagram.Lane>,
        _ lanes: [SequenceDiagram.Lane]
    ) -> String {
        let covered = lanes.filter(range.contains)
        guard let first = covered.first, let last = covered.last, first != last else {
            return (covered.first ?? .engine).name
        }
        return "\(first.name),\(last.name)"
    }

    /// The text with every character but letters, digits and harmless signs as a character code
    /// (`#59;`).
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", " ", ".", ",", "-", "/", "_", "'", "(", ")", "!",
                "?":
                result.unicodeScalars.append(scalar)
            case _ where scalar.value >= 0xA0 && scalar.properties.isAlphabetic:
                result.unicodeScalars.append(scalar)
            default: result += "#\(scalar.value);"
            }
        }
        return result
    }
}
