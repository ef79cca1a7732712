internal import EventLog
internal import SwedbankPay

/// The hash and MAC of a record.
struct RecordMark: Sendable {
    /// The record's hash.
    var hash: Digest256
    /// The record's MAC; `nil` when it has none.
    var mac: Digest256?
}

/// One session's sealed records, the wrapped key that they were sealed with, and what depends on
/// the sealed values.
struct SealedRecords: Sendable {
    var session: SessionID
    /// The session's wrapped data key; `nil` when it was destroyed or never was in this store.
    var wrappedKey: [UInt8]?
    /// The session's records that have seals.
    var records: [StoredRecord]
    /// The session's address, sealed in its first record; `nil` when its log has none.
    var address: Sealed?
    /// The fingerprint by which the session index finds the session by its address.
    var addressFingerprint: Digest256?
    /// The number of the session's records that were found intact.
    var length: SequenceNumber
    /// The hashes and MACs of the session's records, from the first one on.
    var marks: [RecordMark]
    /// The MAC of the log's end, as stored in the session's row.
    var headMAC: Digest256?
    /// Whether the row must have that MAC; the row of a copy has none.
    var hasEnd: Bool

    /// Creates a value for a session's sealed records.
    ///
    /// - Parameters:
    ///   - records: The records.
    ///   - marks: The hashes and MACs of all records.
    ///   - audit: The session as far as it was found intact.
    ///   - listed: The session in the index.
    init(
        _ records: [StoredRecord],
        _ marks: [RecordMark],
        of audit: SessionAudit,
        listed: ListedSession
    ) {
        session = listed.row.session
        if case .wrapped(let key) = listed.key { wrappedKey = key }
        self.records = records
        address = audit.state.payment?.opening?.sessionURL
        addressFingerprint = listed.row.addressFingerprint
        length = audit.head.sequence
        self.marks = marks
        headMAC = listed.row.headMAC
        hasEnd = listed.row.origin == .own || headMAC != nil
    }

    /// Verifies every MAC, opens every seal, and compares the address fingerprint with the address.
    ///
    /// - Returns: The tally, and the first fault.
    func open(
        with vault: any KeyVault
    ) async throws(KeyVaultError) -> (tally: SealTally, fault: StoreFault?) {
        var tally = SealTally()
        let count = Int64(records.reduce(0) { $0 + $1.seals.count })
        guard let wrappedKey else {
            tally.withoutKeys = count
            return (tally, nil)
        }
        let keys: SessionKeys
        do {
            keys = try await vault.keys(unwrapping: wrappedKey, for: session)
        } catch .wrongKey, .malformed {
            tally.withOtherKeys = count
            return (tally, vault.hasWrapped(wrappedKey) ? fault(.wrongKey, at: nil) : nil)
        }
        let pairs = marks.lazy.map { (hash: $0.hash, mac: $0.mac) }
        if let place = keys.forgery(in: pairs, headMAC: headMAC, hasEnd: hasEnd) {
            return (tally, fault(.notAuthentic, at: place))
        }
        tally.authentic = Int64(marks.count)
        var text: String?
        for record in records {
            let unsealed = RecordReader.unseal(record, with: keys)
            tally.opened += Int64(record.seals.count - unsealed.failed.count)
            guard unsealed.failed.isEmpty else {
                return (tally, fault(.wrongSeal, at: record.sequence))
            }
            if text == nil, let address { text = unsealed.secrets[address] }
        }
        guard let text, try await !vault.hasMade(addressFingerprint, of: text) else {
            return (tally, nil)
        }
        return (tally, fault(.projection([ListedSession.fingerprintMember]), at: length))
    }

    private func fault(_ kind: StoreFault.Kind, at sequence: SequenceNumber?) -> StoreFault {
        StoreFault(session: session, sequence: sequence, kind: kind)
    }
}

extension KeyVault {
    /// Whether a wrapped data key names an available master key, which must then unwrap it.
    ///
    /// For vaults without named master keys, this cannot be determined.
    fileprivate func hasWrapped(_ wrapped: [UInt8]) -> Bool {
        guard let holder = self as? any MasterKeyHolder else { return false }
        // Compares the name only: the byte before it may have been altered.
        let name = wrapped.dropFirst().prefix(MasterKeyIdentity.size)
        return holder.identities.contains { $0.bytes.elementsEqual(name) }
    }

    /// Whether a fingerprint is that of an address under the current master key or an earlier one.
    fileprivate func hasMade(
        _ fingerprint: Digest256?,
        of address: String
    ) async throws(KeyVaultError) -> Bool {
        guard let fingerprint else { return false }
        let identity = SessionAddress.identity(of: address)
        if try await addressFingerprint(of: identity) == fingerprint { return true }
        return try await formerAddressFingerprints(of: identity).contains(fingerprint)
    }
}
