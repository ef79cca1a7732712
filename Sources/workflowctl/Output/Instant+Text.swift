internal import EventLog
internal import SwedbankPay

extension Instant {
    /// The time as it is shown: to the second for people, as it is recorded for programs.
    func text(for sink: Sink) -> String {
        let full = description
        return sink.isTerminal ? String(full.prefix(19).replacing("T", with: " ")) : full
    }
}
