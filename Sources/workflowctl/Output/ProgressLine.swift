internal import EventLog
internal import Inspection
internal import SwedbankPay

/// A line on a terminal that says how far something long is; nothing elsewhere.
struct ProgressLine {
    /// How long a command works before the line appears, and how often it changes.
    static let interval = Duration.milliseconds(500)

    private let sink: Sink
    private var last: Instant?
    private var isShown = false

    /// A line on that sink.
    init(on sink: Sink) { self.sink = sink }

    /// Says how far it is, if it is time to.
    mutating func reached(_ done: Int64, of all: Int64, _ words: String, at now: Instant) {
        guard sink.isTerminal else { return }
        guard let last else {
            last = now
            return
        }
        guard now - last >= Self.interval else { return }
        self.last = now
        isShown = true
        let share = all > 0 ? ", \(Int(min(1, Double(done) / Double(all)) * 100)) %" : ""
        sink.draw([.lineStart, .text(StyledText(words + share)), .clearRestOfLine])
    }

    /// Takes the line away.
    mutating func clear() {
        if isShown { sink.draw([.lineStart, .clearRestOfLine]) }
        isShown = false
    }
}
