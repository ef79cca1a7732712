package import EventLog
package import SwedbankPay

/// An event in plain words, and who it is about.
package struct EventWords: Hashable, Sendable {
    /// Who did something.
    package enum Lane: String, Sendable {
        /// The payer, with an app or browser.
        case client
        /// This engine.
        case engine
        /// The payment service provider.
        case psp
        /// Something went wrong.
        case problem
        /// The end.
        case end

        /// A sign that also reads without colour.
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

    /// The words for an event.
    package init(_ event: SessionEvent) { self = EventDescription(event).words }

    /// The last two parts of a problem type, which tell it apart.
    static func slug(of type: String) -> String {
        type.split(separator: "/").suffix(2).joined(separator: "/")
    }

    /// The line of a timeline: time since the beginning, lane, words.
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
