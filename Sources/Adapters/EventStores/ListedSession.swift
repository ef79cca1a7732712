package import EventLog

/// A session's row in the session index with its wrapped key, for comparison with its log.
package struct ListedSession: Hashable, Sendable {
    /// Whether a session has a wrapped data key.
    package enum Key: Hashable, Sendable {
        /// The session has this key.
        case wrapped([UInt8])
        /// The session has no key: it was erased or imported.
        case none
        /// Not determined, since there is no vault to unwrap it.
        case unknown
    }

    /// The row.
    package var row: SessionSummary
    /// The session's key.
    package var key: Key
    /// Whether the address fingerprint has a valid form or is absent.
    package var hasFingerprintForm = true

    /// Creates a value with these members.
    package init(row: SessionSummary, key: Key, hasFingerprintForm: Bool = true) {
        (self.row, self.key, self.hasFingerprintForm) = (row, key, hasFingerprintForm)
    }

    /// The member that does not follow from the log alone: it derives from the session's address
    /// and the master key.
    package static let fingerprintMember = "address_fp"

    /// What differs when the copy of the row for lists is not the row.
    package static let copyMember = "listed"
}
