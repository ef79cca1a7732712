internal import EventLog
internal import SwedbankPay

/// A session's row in the session index with its wrapped key, for comparison with its log.
struct ListedSession: Hashable, Sendable {
    /// Whether a session has a wrapped data key.
    enum Key: Hashable, Sendable {
        /// The session has this key.
        case wrapped([UInt8])
        /// The session has no key: it was erased or imported.
        case none
        /// Not determined, since there is no vault to unwrap it.
        case unknown
    }

    var row: SessionSummary
    /// The session's key.
    var key: Key
    /// Whether the address fingerprint has a valid form or is absent.
    var hasFingerprintForm = true

    /// The names of the members that contradict the log, as far as this can be determined without
    /// keys.
    ///
    /// The fingerprint of a session's address is removed with its key, and a session without an
    /// address has no fingerprint.
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

    /// The member that does not follow from the log alone: it derives from the session's address
    /// and the master key.
    static let fingerprintMember = "address_fp"

    /// What differs when the copy of the row for lists is not the row.
    static let copyMember = "listed"
}
