package import EventLog
package import SwedbankPay

/// The description of an event, with its lane.
package struct EventWords: Hashable, Sendable {
    /// The lane of an event.
    package enum Lane: String, Sendable {
        /// The payer, with an app or browser.
        case client
        /// The engine.
        case engine
        /// The payment service provider.
        case psp
        /// A problem.
        case problem
        /// The end of the session.
        case end

        /// A symbol that is also recognizable without color.
        package func symbol(_ style: Style) -> StyledText {
            let (symbol, plain, role): (String, String, Style.Role) =
                switch self {
                case .client: ("◆", "@", .payer)
                case .engine: ("·", ".", .dim)
                case .psp: ("▸", ">", .accent)
                case .problem: ("✖", "x", .bad)
                case .end: ("●", "*", .good)
                }
            return style.paint(style.isUnicode ? symbol : plain, role)
        }
    }

    package var lane: Lane
    package var words: String

    package init(_ lane: Lane, _ words: String) {
        self.lane = lane
        self.words = words
    }

    /// Creates the description of an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - currency: The currency of the session's order, which not every event with an amount
    ///     names; `nil` when it is unknown.
    package init(_ event: SessionEvent, currency: String? = nil) {
        self = EventDescription(event, currency: currency).words
    }

    /// The last two parts of a problem type, which identify it.
    static func slug(of type: String) -> String {
        type.pieces(between: "/").suffix(2).joined(separator: "/")
    }

    /// Returns the line of a time line: time since the beginning, lane, description.
    package func line(at instant: Instant, since begin: Instant, in style: Style) -> StyledText {
        let milliseconds = max(0, (instant.microseconds - begin.microseconds) / 1000)
        let fraction = String(milliseconds % 1000 / 10)
        let offset =
            "\(milliseconds / 1000)." + String(repeating: "0", count: 2 - fraction.count) + fraction
        let padded = String(repeating: " ", count: max(0, 7 - offset.count)) + offset + "s"
        return style.paint(padded, .dim) + " " + lane.symbol(style) + " "
            + style.paint(words, lane == .problem ? .bad : nil)
    }
}
