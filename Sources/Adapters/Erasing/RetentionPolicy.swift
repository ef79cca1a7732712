package import SwedbankPay

/// The retention period of sealed values after the end of a session.
package struct RetentionPolicy: Hashable, Sendable {
    /// The period for every outcome without its own; `nil` keeps sessions forever.
    package var period: Duration?
    /// The periods for single outcomes.
    package var byOutcome: [Outcome: Duration]

    /// Creates a policy; without periods, everything is kept forever.
    package init(period: Duration? = nil, byOutcome: [Outcome: Duration] = [:]) {
        (self.period, self.byOutcome) = (period, byOutcome)
    }

    /// Returns the retention period of a session with this outcome; `nil` means forever.
    package func period(for outcome: Outcome) -> Duration? { byOutcome[outcome] ?? period }

    /// The shortest period of any outcome; `nil` when everything is kept forever.
    package var shortest: Duration? { Outcome.allCases.compactMap(period(for:)).min() }
}
