internal import EventLog
internal import SwedbankPay

extension Instant {
    /// The time as text: to the second and in local time on a terminal, as recorded otherwise.
    package func text(for form: TextForm) -> String {
        guard form.isTerminal else { return description }
        let shown = self + form.offset(self)
        return String(shown.description.prefix(19).rewriting("T", as: " "))
    }
}
