internal import EventLog
internal import SwedbankPay

/// A session as the list of sessions has it, with its wrapped key, to be compared with its log.
struct ListedSession: Hashable, Sendable {
    /// Whether a session has a wrapped data key.
    enum Key: Hashable, Sendable {
        /// It has this one.
        case wrapped([UInt8])
        /// It has none: it was erased, or it was imported.
        case none
        /// Nobody asked, since there is nothing to unwrap it with.
        case unknown
    }

    /// The row.
    var row: SessionSummary
    /// The session's key.
    var key: Key
    /// Whether what stands in the place of the address's fingerprint is one, or nothing.
    var hasFingerprintForm = true

    /// What the row says that the log does not say, by the names of its members, as far as it can be told without keys.
    ///
    /// With a session's key goes the fingerprint of its address, and where there is no address there is no fingerprint.
    func contradictions(
        to audit: SessionAudit,
        by decider: SessionDecider,
        current: String?
    ) -> [String] {
        let members = audit.contradictions(in: row, by: decider, current: current)
        let mayHaveAddress = audit.state.payment?.opening != nil || !audit.tally.unknown.isEmpty
        let mayBeFound = mayHaveAddress && key != .none || row.addressFingerprint == nil
        return mayBeFound && hasFingerprintForm ? members : members + [Self.fingerprintMember]
    }

    /// The member that no log says by itself: it follows from the session's address and the master key.
    static let fingerprintMember = "address_fp"
}
