package import EventLog

extension EventType {
    /// The payer chose an instrument.
    public static let attemptStarted = EventType("attemptStarted") { .attemptStarted($0) }
}

/// The payer chose an instrument.
public struct AttemptStarted: Hashable, Sendable {
    /// The number of the attempt within the session, from 1.
    public var number: Int
    /// The instrument and its parameters.
    public var choice: Choice

    /// Creates the data of an `attemptStarted` event.
    public init(number: Int, choice: Choice) {
        self.number = number
        self.choice = choice
    }
}

extension AttemptStarted: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        let stored = try ChoiceMembers(&members, value.map { ChoiceMembers($0.whole) })
        choice = try stored.choice()
        number = try stored.needed(stored.number, "number")
    }
}
