internal import EventLog
internal import Inspection
internal import SwedbankPay

/// A line on a terminal with the progress of long work, its rate and the remaining time.
///
/// Elsewhere it is not shown, or written as a note now and then: a person may be waiting whose
/// command is part of a script.
struct ProgressLine {
    /// The time after which the line appears.
    static let patience = Duration.seconds(1)
    /// The interval between updates.
    static let interval = Duration.milliseconds(500)
    /// The interval between notes, where the sink is no terminal.
    static let noteInterval = Duration.seconds(10)

    private let sink: Sink
    private let isWrittenElsewhere: Bool
    /// The time of the first report, and the progress at that time.
    private var begin: (at: Instant, done: Int64, counted: Int64)?
    private var last: Instant?
    private var isShown = false

    /// Creates a line on a sink; `isWrittenElsewhere` says whether notes replace it where the sink
    /// is no terminal.
    init(on sink: Sink, isWrittenElsewhere: Bool = false) {
        (self.sink, self.isWrittenElsewhere) = (sink, isWrittenElsewhere)
    }

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
        guard sink.isTerminal || isWrittenElsewhere else { return }
        guard let begin else {
            begin = (now, done, counted ?? done)
            return
        }
        guard now - begin.at >= Self.patience else { return }
        let interval = sink.isTerminal ? Self.interval : Self.noteInterval
        if let last, now - last < interval { return }
        last = now
        let pace = Pace(
            done: done,
            all: all,
            sinceThen: done - begin.done,
            counted: (counted ?? done) - begin.counted,
            time: now - begin.at
        )
        let text = words + pace.words
        guard sink.isTerminal else { return sink.write("note: \(text)\n") }
        isShown = true
        let line = sink.columns.map { sink.style.cut(text, to: max(8, $0 - 1)) } ?? text
        sink.draw([.lineStart, .text(StyledText(line)), .clearRestOfLine])
    }

    /// The progress, the rate, and the remaining time at that rate.
    struct Pace {
        var done: Int64
        /// The total; 0 when it is unknown.
        var all: Int64
        /// The progress since the first report.
        var sinceThen: Int64
        /// The number of counted things since then.
        var counted: Int64
        var time: Duration

        var words: String { share + rate + left }

        private var share: String {
            all > 0 ? ", \(Int(min(1, Double(done) / Double(all)) * 100)) %" : ""
        }

        private var rate: String {
            guard counted > 0, time > .zero else { return "" }
            let rate = Double(counted) / time.inSeconds
            // Only as many digits as are meaningful.
            return rate >= 10
                ? ", \(Int(rate)) a second" : ", \((rate * 10).rounded() / 10) a second"
        }

        private var left: String {
            guard all > 0, sinceThen > 0, time > .zero else { return "" }
            let seconds = Double(max(0, all - done)) * time.inSeconds / Double(sinceThen)
            return ", \(Duration.seconds(seconds.rounded(.up)).spoken) left"
        }
    }

    /// Clears the line.
    mutating func clear() {
        if isShown { sink.draw([.lineStart, .clearRestOfLine]) }
        isShown = false
    }
}
