internal import EventLog
internal import Inspection
internal import SwedbankPay

/// The result of one check of the installation.
struct Finding: Hashable, Sendable {
    /// The severity of a finding.
    enum Grade: String, Sendable {
        /// The check passed.
        case good
        /// It works, but needs an operator's attention.
        case warning
        /// The check failed: something does not work, or payments are at risk.
        case bad
        /// It was not requested, or cannot be checked because of another finding.
        case skipped

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

    /// The check.
    var check: DoctorCheck
    var grade: Grade
    /// A description of the finding.
    var words: String
    /// The hint.
    var advice: String?

    init(_ check: DoctorCheck, _ grade: Grade, _ words: String, advice: String? = nil) {
        self.check = check
        self.grade = grade
        self.words = words
        self.advice = advice
    }

    /// Creates the finding for a failure.
    init(_ check: DoctorCheck, _ failure: Failure) {
        self.init(check, .bad, "\(failure.message) [\(failure.code)]", advice: failure.hint)
    }

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

extension [Finding] {
    /// Returns whether no finding is bad.
    ///
    /// With `strictly`, a warning counts as bad.
    func areHealthy(strictly: Bool = false) -> Bool {
        !contains { $0.grade == .bad || strictly && $0.grade == .warning }
    }
}
