/// The result of one check of the installation.
package struct Finding: Hashable, Sendable {
    /// The severity of a finding.
    package enum Grade: String, Sendable {
        /// The check passed.
        case good
        /// It works, but needs an operator's attention.
        case warning
        /// The check failed: something does not work, or payments are at risk.
        case bad
        /// It was not requested, or cannot be checked because of another finding.
        case skipped
    }

    /// The check.
    package var check: InstallationCheck
    /// The severity.
    package var grade: Grade
    /// A description of the finding.
    package var words: String
    /// What to do; `nil` when nothing has to be done.
    package var advice: String?

    /// Creates a finding with these members.
    init(_ check: InstallationCheck, _ grade: Grade, _ words: String, advice: String? = nil) {
        self.check = check
        self.grade = grade
        self.words = words
        self.advice = advice
    }

    /// Creates the finding for a failure.
    init(_ check: InstallationCheck, _ failure: CheckupFailure) {
        self.init(check, .bad, "\(failure.message) [\(failure.code)]", advice: failure.advice)
    }
}

extension [Finding] {
    /// Returns whether no finding is bad.
    ///
    /// - Parameter strictly: Whether a warning counts as bad.
    /// - Returns: Whether the installation is healthy.
    package func areHealthy(strictly: Bool = false) -> Bool {
        !contains { $0.grade == .bad || strictly && $0.grade == .warning }
    }
}
