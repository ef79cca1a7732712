internal import EventLog
internal import Inspection
internal import SwedbankPay

extension ListedSession {
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
}
