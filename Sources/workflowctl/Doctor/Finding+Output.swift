internal import Adapters
internal import EventLog
internal import Inspection

extension Finding.Grade {
    /// Returns a symbol that is also readable without color.
    func symbol(_ style: Style) -> StyledText {
        let (symbol, plain, role): (String, String, Style.Role) =
            switch self {
            case .good: ("✔", "ok", .good)
            case .warning: ("▲", "!!", .caution)
            case .bad: ("✖", "xx", .bad)
            case .skipped: ("·", "--", .dim)
            }
        return style.paint(style.isUnicode ? symbol : plain, role)
    }
}

extension Finding {
    /// The finding as JSON.
    var json: JSONValue {
        [
            "check": .string(check.rawValue), "grade": .string(grade.rawValue),
            "finding": .string(words), "advice": JSONValue(advice),
        ]
    }

    /// Returns the finding for people, and below it what to do, in lines that fit a terminal.
    func text(for sink: Sink) -> StyledText {
        let (style, margin) = (sink.style, 16)
        func lines(_ text: String) -> [String] {
            guard let columns = sink.columns else { return [Screen.safe(text)] }
            return Screen.wrapped(Screen.safe(text), to: max(24, columns - margin))
        }
        var all = lines(words).map { StyledText($0) }
        if let advice, grade != .good {
            all += lines(advice).map { style.paint($0, .dim) }
        }
        let head = grade.symbol(style) + " " + Screen.padded(check.rawValue, to: margin - 2)
        return all.enumerated().map { index, line in
            (index == 0 ? head : StyledText(String(repeating: " ", count: margin))) + line + "\n"
        }.joined()
    }
}
