/// The exit status of the process: those of sysexits, and 1 for a negative result.
enum ExitStatus: Int32, Error, Sendable {
    case done = 0
    /// The session's state does not allow the command, or a check found a difference.
    case refused = 1
    /// An unknown option or a malformed argument.
    case usage = 64
    /// A log or store is damaged or was altered.
    case damaged = 65
    /// No such session, action or file.
    case unknown = 66
    /// The store or the PSP cannot be reached.
    case unavailable = 69
    /// A bug in this program.
    case defect = 70
    /// The store is busy, or there were repeated version conflicts.
    case tryAgain = 75
    /// Credentials were refused.
    case credentials = 77
    /// The configuration is invalid.
    case configuration = 78
    /// A signal ended the command.
    case interrupted = 130
}
