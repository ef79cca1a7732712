package import EventLog

extension SessionID {
    /// The last eight characters, which are enough to name a session of most stores.
    ///
    /// Ids begin with the time, so that those of sessions that were opened together begin alike.
    package var short: String { String("\(self)".suffix(8)) }
}
