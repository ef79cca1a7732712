internal import Workflow

/// A suggested next step, with the command to run if there is one.
package struct NextStep: Hashable, Sendable {
    /// A description of the step.
    package var words: String
    /// The command; `nil` when no command does it.
    package var command: String?
    /// How it relates to the step before it.
    package var relation: Relation

    /// How a step relates to the one before it.
    package enum Relation: String, Sendable {
        /// One of the two is enough.
        case alternative = "or"
        /// It comes after the other one.
        case sequel = "then"
        /// It can be done in any case.
        case addition = "also"
    }

    /// Creates a step.
    package init(words: String, command: String?, _ relation: Relation = .alternative) {
        self.words = words
        self.command = command
        self.relation = relation
    }
}
