internal import EventLog
internal import SwedbankPay

extension Instant {
    /// The time as it is shown: to the second for people, as it is recorded for programs.
    package func text(for form: TextForm) -> String {
        let full = description
        return form.isTerminal ? String(full.prefix(19).replacing("T", with: " ")) : full
    }
}
