internal import EventLog
internal import SwedbankPay

/// The logs that were gone through for one answer.
package struct Sweep: Hashable, Sendable {
    /// How many sessions there were.
    package private(set) var sessions = 0
    /// How many events their logs have.
    package private(set) var events: Int64 = 0
    /// How many logs could not be read.
    package var unreadable = 0
    /// Whether it came to its end.
    package var isWhole = true

    /// Counts a log.
    mutating func take(_ count: Int) {
        sessions += 1
        events += Int64(count)
    }

    /// Whether there is anything to tell: where every log is unreadable, each has been told of.
    var hasAnswer: Bool { sessions > 0 || unreadable == 0 }

    /// The counts as members of a document.
    var members: [JSONValue.Member] {
        [
            .init("sessions", .integer(Int64(sessions))), .init("events", .integer(events)),
            .init("unreadable", .integer(Int64(unreadable))),
        ]
    }

    /// The counts in words.
    ///
    /// - Parameter found: What was found in them, in words.
    func words(_ found: String) -> String {
        "sessions: \(sessions), events: \(events), \(found)"
            + (unreadable > 0 ? ", unreadable: \(unreadable)" : "")
    }

    /// The answer in a word, and the counts.
    ///
    /// - Parameters:
    ///   - found: In how many logs decisions differ.
    ///   - name: What the logs are called in which they do.
    ///   - words: The answer where they differ, and where they do not.
    func heading(
        _ found: Int,
        _ name: String,
        _ words: (differing: String, alike: String),
        _ style: Style
    ) -> StyledText {
        let answer =
            if found > 0 {
                style.paint(words.differing, .bad)
            } else if unreadable > 0 {
                style.paint("unreadable", .bad)
            } else if !isWhole {
                style.paint("incomplete", .bad)
            } else {
                style.paint(words.alike, .good)
            }
        return answer + "  " + self.words("\(name): \(found)")
    }
}
