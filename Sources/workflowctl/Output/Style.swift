/// How text is coloured; the colour never carries meaning of its own.
struct Style: Hashable, Sendable {
    /// Whether escape sequences are written.
    var isColoured: Bool
    /// Whether the terminal shows more than ASCII.
    var isUnicode: Bool

    /// Plain text.
    static let plain = Style(isColoured: false, isUnicode: true)

    /// What a piece of text is.
    enum Role: String {
        case heading = "1"
        case dim = "2"
        case good = "32"
        case bad = "31"
        case caution = "33"
        case accent = "36"
        case payer = "35"
    }

    /// When output is coloured, as somebody asked for it.
    enum Choice: String, CaseIterable, Sendable {
        case auto, always, never
    }

    /// The style of a stream: by the option, `NO_COLOR`, `CLICOLOR_FORCE`, `TERM=dumb`, then the terminal.
    static func of(
        terminal: Bool,
        choice: Choice,
        environment: [String: String]
    ) -> Style {
        let locale =
            environment["LC_ALL"].nonEmpty ?? environment["LC_CTYPE"].nonEmpty
            ?? environment["LANG"].nonEmpty ?? ""
        let isUnicode = !["C", "POSIX"].contains(locale)
        let isColoured: Bool =
            switch choice {
            case .always: true
            case .never: false
            case .auto:
                if environment["NO_COLOR"].nonEmpty != nil {
                    false
                } else if let force = environment["CLICOLOR_FORCE"].nonEmpty, force != "0" {
                    true
                } else {
                    terminal && environment["TERM"] != "dumb"
                }
            }
        return Style(isColoured: isColoured, isUnicode: isUnicode)
    }

    /// The text cut to so many characters, with a sign that more was there.
    func cut(_ text: String, to width: Int) -> String {
        guard text.count > width else { return text }
        return isUnicode ? Screen.cut(text, to: width) : text.prefix(max(0, width - 2)) + ".."
    }

    /// The text in the colour of its role, or as it is.
    func paint(_ text: String, _ role: Role?) -> StyledText {
        StyledText(text, isColoured ? role : nil)
    }
}

extension String? {
    /// The text, unless it is empty: an empty variable counts as not set.
    var nonEmpty: String? { self?.isEmpty == true ? nil : self }
}
