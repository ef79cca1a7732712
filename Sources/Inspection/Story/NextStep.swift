internal import Workflow

/// One thing to do next, with the command to paste where there is one.
package struct NextStep: Hashable, Sendable {
    /// In words.
    package var words: String
    /// The command; nil when it is not done by a command.
    package var command: String?

    /// A step.
    package init(words: String, command: String?) {
        self.words = words
        self.command = command
    }
}
