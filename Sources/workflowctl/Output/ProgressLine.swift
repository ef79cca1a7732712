internal import EventLog
internal import Inspection
internal import SwedbankPay

/// A line on a terminal that says how far something long is, how fast it goes and how long it still takes; nothing elsewhere.
struct ProgressLine {
    /// How long a command works before the line appears.
    static let patience = Duration.seconds(1)
    /// How often it changes.
    static let interval = Duration.milliseconds(500)

    private let sink: Sink
    /// When it was first said how far it is, and how far that was.
    private var begin: (at: Instant, done: Int64, counted: Int64)?
    private var last: Instant?
    private var isShown = false

    /// A line on that sink.
    init(on sink: Sink) { self.sink = sink }

    /// Prints the progress, if it is time to.
    ///
    /// `all` is the total; 0 when it is unknown. `words` describe the progress. `counted` is the
    /// number from which the rate per second is computed, where that is not `done`.
    mutating func reached(
        _ done: Int64,
        of all: Int64,
        _ words: String,
        counting counted: Int64? = nil,
        at now: Instant
    ) {
        guard sink.isTerminal else { return }
        guard let begin else {
            begin = (now, done, counted ?? done)
            return
        }
        guard now - begin.at >= Self.patience else { return }
        if let last, now - last < Self.interval { return }
        last = now
        isShown = true
        let pace = Pace(
            done: done,
            all: all,
            sinceThen: done - begin.done,
            counted: (counted ?? done) - begin.counted,
            time: now - begin.at
        )
        let text = words + pace.words
        let line = sink.columns.map { sink.style.cut(text, to: max(8, $0 - 1)) } ?? text
        sink.draw([.lineStart, .text(StyledText(line)), .clearRestOfLine])
    }

    /// How much of it is done, how many a second, and how long the rest takes at that pace.
    struct Pace {
        var done: Int64
        /// 0 where nobody knows.
        var all: Int64
        /// How much of it since it was first said how far it is.
        var sinceThen: Int64
        /// How many things since then.
        var counted: Int64
        var time: Duration

        var words: String { share + rate + left }

        private var share: String {
            all > 0 ? ", \(Int(min(1, Double(done) / Double(all)) * 100)) %" : ""
        }

        private var rate: String {
            guard counted > 0, time > .zero else { return "" }
            let rate = Double(counted) / time.inSeconds
            // As many digits as it is worth.
            return rate >= 10
                ? ", \(Int(rate)) a second" : ", \((rate * 10).rounded() / 10) a second"
        }

        private var left: String {
            guard all > 0, sinceThen > 0, time > .zero else { return "" }
            let seconds = Double(max(0, all - done)) * time.inSeconds / Double(sinceThen)
            return ", \(Duration.seconds(seconds.rounded(.up)).spoken) left"
        }
    }

    /// Takes the line away.
    mutating func clear() {
        if isShown { sink.draw([.lineStart, .clearRestOfLine]) }
        isShown = false
    }
}
