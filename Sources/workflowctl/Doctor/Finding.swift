internal import EventLog
internal import Inspection
internal import SwedbankPay

/// What one check of the installation found.
struct Finding: Hashable, Sendable {
    /// How well it is.
    enum Grade: String, Sendable {
        /// As it should be.
        case good
        /// It works, and somebody should look at it.
        case warning
        /// It does not work, or payments are at risk.
        case bad
        /// It was not asked for, or cannot be looked at because of another finding.
        case skipped

        /// A sign that also reads without colour.
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

    /// What was looked at.
    var check: DoctorCheck
    var grade: Grade
    /// What was found.
    var words: String
    /// What to do about it.
    var advice: String?

    init(_ check: DoctorCheck, _ grade: Grade, _ words: String, advice: String? = nil) {
        self.check = check
        self.grade = grade
        self.words = words
        self.advice = advice
    }

    /// What a command would have failed with.
    init(_ check: DoctorCheck, _ failure: Failure) {
        self.init(check, .bad, "\(failure.message) [\(failure.code)]", advice: failure.hint)
    }

    /// The finding as JSON.
    var json: JSONValue {
        [
            "check": .string(check.rawValue), "grade": .string(grade.rawValue),
            "finding": .string(words), "advice": JSONValue(advice),
        ]
    }

    /// The finding for people, and below it what to do, in lines that fit a terminal.
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

extension [Finding] {
    /// Returns whether no finding is bad.
    ///
    /// With `strictly`, a warning counts as bad.
    func areHealthy(strictly: Bool = false) -> Bool {
        !contains { $0.grade == .bad || strictly && $0.grade == .warning }
    }
}
