internal import EventLog
internal import SwedbankPay

/// Counts of the logs that were read for one result.
package struct Sweep: Hashable, Sendable {
    /// The number of sessions.
    package private(set) var sessions = 0
    /// The number of events in their logs.
    package private(set) var events: Int64 = 0
    /// The number of logs that could not be read.
    package var unreadable = 0
    /// Whether all logs were read.
    package var isWhole = true

    /// Counts a log.
    mutating func add(_ count: Int) {
        sessions += 1
        events += Int64(count)
    }

    /// Whether there is a result to show: when every log is unreadable, each was reported already.
    var hasAnswer: Bool { sessions > 0 || unreadable == 0 }

    /// The counts as members of a document.
    var members: [JSONValue.Member] {
        [
            .init("sessions", .integer(Int64(sessions))), .init("events", .integer(events)),
            .init("unreadable", .integer(Int64(unreadable))),
        ]
    }

    /// Returns a description of the counts.
    ///
    /// - Parameter found: A description of the findings.
    /// - Returns: The description.
    func words(_ found: String) -> String {
        "sessions: \(sessions), events: \(events), \(found)"
            + (unreadable > 0 ? ", unreadable: \(unreadable)" : "")
    }

    /// Returns the result as a word, with the counts.
    ///
    /// - Parameters:
    ///   - found: The number of logs in which decisions differ.
    ///   - name: The label for that number.
    ///   - words: The results for differing and for equal decisions.
    ///   - style: The style.
    /// - Returns: The heading.
    func heading(
        _ found: Int,
        _ name: String,
        _ words: (differing: String, alike: String),
        _ style: Style
    ) -> StyledText {
        let response =
            if found > 0 {
                style.paint(words.differing, .bad)
            } else if unreadable > 0 {
                style.paint("unreadable", .bad)
            } else if !isWhole {
                style.paint("incomplete", .bad)
            } else {
                style.paint(words.alike, .good)
            }
        return response + "  " + self.words("\(name): \(found)")
    }
}
