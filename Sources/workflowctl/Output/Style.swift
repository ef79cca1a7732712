internal import Inspection

extension Style {
    /// When output is colored, as the option says.
    enum Choice: String, CaseIterable, Sendable {
        case auto, always, never
    }

    /// Returns the style of a stream from the option, `NO_COLOR`, `CLICOLOR_FORCE`, `TERM=dumb`,
    /// and whether it is a terminal.
    static func of(
        terminal: Bool,
        choice: Choice,
        environment: [String: String]
    ) -> Style {
        let locale =
            environment["LC_ALL"].nonEmpty ?? environment["LC_CTYPE"].nonEmpty
            ?? environment["LANG"].nonEmpty ?? ""
        let isUnicode = !["C", "POSIX"].contains(locale)
        let isColored: Bool =
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
        return Style(isColored: isColored, isUnicode: isUnicode)
    }
}

extension Style.Role {
    /// The color's parameter in terminals' escape sequences.
    ///
    /// - Note: Source: ECMA-48, Select Graphic Rendition.
    var code: String {
        switch self {
        case .heading: "1"
        case .dim: "2"
        case .good: "32"
        case .bad: "31"
        case .caution: "33"
        case .accent: "36"
        case .payer: "35"
        }
    }
}

extension String? {
    /// Returns the value of a variable; an empty one counts as not set.
    var nonEmpty: String? { self?.isEmpty == true ? nil : self }
}
