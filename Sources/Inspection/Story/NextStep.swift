internal import Workflow

/// A suggested next step, with the command to run if there is one.
package struct NextStep: Hashable, Sendable {
    /// A description of the step.
    package var words: String
    /// The command; `nil` when no command does it.
    package var command: String?

    /// Creates a step.
    package init(words: String, command: String?) {
        self.words = words
        self.command = command
    }
}
