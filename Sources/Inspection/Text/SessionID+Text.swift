package import EventLog

extension SessionID {
    /// The last eight characters, which identify a session in most stores.
    ///
    /// Identities begin with the time, so those of sessions opened together begin alike.
    package var short: String { String("\(self)".suffix(8)) }
}
