internal import EventLog
internal import SwedbankPay

/// What authenticates a record.
struct RecordMark: Sendable {
    /// The record's hash.
    var hash: Digest256
    /// Its MAC; nothing where it has none.
    var mac: Digest256?
}

/// One session's records with seals, the wrapped key that they were sealed with, and what follows from what is sealed.
struct SealedRecords: Sendable {
    /// The session.
    var session: SessionID
    /// Its data key, wrapped; nothing when it was destroyed or never was in this store.
    var wrappedKey: [UInt8]?
    /// Its records that have seals.
    var records: [StoredRecord]
    /// Its address, sealed in its first record; nothing when its log names none.
    var address: Sealed?
    /// The fingerprint by which the list of sessions finds it by its address.
    var addressFingerprint: Digest256?
    /// How many records of it were found sound.
    var length: Int64
    /// What authenticates its records, from the first one on.
    var marks: [RecordMark]
    /// The MAC of where its log ends, as its row has it.
    var headMAC: Digest256?
    /// Whether its row has to have that MAC: a copy's has none.
    var hasEnd: Bool

    /// A session's records with seals.
    ///
    /// - Parameters:
    ///   - records: The records.
    ///   - marks: What authenticates all of its records.
    ///   - audit: The session as far as it was found sound.
    ///   - listed: The session as the list has it.
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

    /// Compares every MAC, opens every seal, and compares the fingerprint of the session's address with the address.
    ///
    /// - Returns: What was found, and the first thing that is not as it should be.
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
        if let from = keys.authenticFrom {
            tally.authentic = max(0, Int64(marks.count) - from + 1)
        }
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

    private func fault(_ kind: StoreFault.Kind, at sequence: Int64?) -> StoreFault {
        StoreFault(session: session, sequence: sequence, kind: kind)
    }
}

extension KeyVault {
    /// Whether a wrapped data key names a master key that is at hand: then it has to unwrap.
    ///
    /// Of a vault of another kind than of master keys nobody can tell.
    fileprivate func hasWrapped(_ wrapped: [UInt8]) -> Bool {
        guard let holder = self as? any MasterKeyHolder else { return false }
        // By the name alone: the byte before it may be what was altered.
        let name = wrapped.dropFirst().prefix(MasterKey.identityBytes)
        return holder.identities.contains { $0.bytes.elementsEqual(name) }
    }

    /// Whether a fingerprint is that of an address under the master key that is used now or one before it.
    fileprivate func hasMade(
        _ fingerprint: Digest256?,
        of address: String
    ) async throws(KeyVaultError) -> Bool {
        guard let fingerprint else { return false }
        if try await addressFingerprint(of: address) == fingerprint { return true }
        return try await formerAddressFingerprints(of: address).contains(fingerprint)
    }
}
