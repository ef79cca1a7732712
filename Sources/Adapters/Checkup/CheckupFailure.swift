/// Why a part of an installation cannot be used, in the words of a finding.
package struct CheckupFailure: Error, Hashable, Sendable {
    /// A short, stable code, for example `store.no-database`.
    package var code: String
    /// A description of the failure.
    package var message: String
    /// What to do; `nil` when there is nothing to suggest.
    package var advice: String?

    /// Creates a failure with these members.
    package init(code: String, message: String, advice: String? = nil) {
        self.code = code
        self.message = message
        self.advice = advice
    }
}
