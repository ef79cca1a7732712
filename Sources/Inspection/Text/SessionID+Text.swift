package import EventLog

extension SessionID {
    /// The last eight characters, which identify a session in most stores.
    ///
    /// Identifiers begin with the time, so those of sessions opened together have a common prefix.
    package var short: String { String("\(self)".suffix(8)) }
}
