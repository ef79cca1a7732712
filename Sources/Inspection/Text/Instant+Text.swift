internal import EventLog
internal import SwedbankPay

extension Instant {
    /// The time as it is shown: to the second and in local time for people, as it is recorded for programs.
    package func text(for form: TextForm) -> String {
        guard form.isTerminal else { return description }
        let shown = self + form.offset(self)
        return String(shown.description.prefix(19).replacing("T", with: " "))
    }
}
