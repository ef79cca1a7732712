internal import Crypto
internal import FoundationEssentials

/// The keys of one session, all derived from its data key.
///
/// Values are sealed with AES-256-GCM under the data key; a value's location in the log is its
/// associated data, so that a seal can't be moved. Fingerprints and record MACs are HMAC-SHA-256
/// under keys derived from the data key with HKDF-SHA-256.
public struct SessionKeys: Sendable {
    private let dataKey: SymmetricKey
    /// The HMAC state for fingerprints before any input; it is copied for each text, which avoids
    /// preparing the key each time.
    private let fingerprints: HMAC<SHA256>
    /// The HMAC state for record MACs before any input.
    private let records: HMAC<SHA256>

    /// The length of a data key in bytes.
    public static let dataKeyBytes = 32
    /// The length of a nonce in bytes.
    public static let nonceBytes = 12

    /// Derives the keys from a data key; `nil` when it is not 32 bytes long.
    public init?(dataKey bytes: [UInt8]) {
        guard bytes.count == Self.dataKeyBytes else { return nil }
        let dataKey = SymmetricKey(data: bytes)
        func code(_ purpose: String) -> HMAC<SHA256> {
            HMAC<SHA256>(
                key: HKDF<SHA256>.deriveKey(
                    inputKeyMaterial: dataKey,
                    info: Array(purpose.utf8),
                    outputByteCount: 32
                )
            )
        }
        self.dataKey = dataKey
        fingerprints = code("payment-workflow fingerprint v1")
        records = code("payment-workflow record mac v1")
    }

    /// The MAC of a record: HMAC-SHA-256 of its hash, which covers its bytes, session, sequence
    /// number and all earlier records.
    public func mac(of hash: Digest256) -> Digest256 {
        var code = records
        Self.update(&code, with: hash)
        return code.finalize().withUnsafeBytes { Digest256(raw: $0) }
    }

    /// The MAC of a log's end, over its length and the hash of its last record.
    public func mac(of head: StreamHead) -> Digest256 {
        var code = records
        let length = UInt64(bitPattern: head.sequence.rawValue).bigEndian
        withUnsafeBytes(of: length) { code.update(data: $0) }
        Self.update(&code, with: head.hash)
        return code.finalize().withUnsafeBytes { Digest256(raw: $0) }
    }

    /// Whether a record was written by a holder of the session's keys.
    public func isAuthentic(_ record: StoredRecord) -> Bool { record.mac == mac(of: record.hash) }

    /// The sequence number of the first record of a complete log that no key holder wrote.
    ///
    /// When the end was cut off, it is the number after the last record.
    ///
    /// - Parameters:
    ///   - log: The complete log.
    ///   - headMAC: The MAC of the log's end, as stored in the session's row.
    /// - Returns: The sequence number, or `nil` when the whole log is authentic.
    public func forgery(in log: [StoredRecord], headMAC: Digest256?) -> SequenceNumber? {
        let end = LogAuthentication.End(sequence: SequenceNumber(log.count), mac: headMAC)
        return LogAuthentication(keys: self, end: end).forgery(in: log)
    }

    /// The sequence number of the first record of a log that no key holder wrote.
    ///
    /// - Parameter log: The complete log, and its session's row, which is not newer.
    /// - Returns: The sequence number, or `nil` when the whole log is authentic.
    package func forgery(in log: LogBeginning) -> SequenceNumber? {
        let end = log.row.map {
            LogAuthentication.End(sequence: $0.lastSequence, mac: $0.headMAC)
        }
        return LogAuthentication(keys: self, end: end).forgery(in: log.records)
    }

    /// Finds the first forged record from hashes and MACs alone, of records that have their hashes.
    ///
    /// - Parameters:
    ///   - log: The hash and MAC of each record of the complete log.
    ///   - headMAC: The MAC of the log's end, as stored in the session's row.
    ///   - hasEnd: Whether the row must have a MAC of the log's end; the row of a copy has none.
    /// - Returns: The sequence number, or `nil` when the whole log is authentic.
    package func forgery(
        in log: some Collection<(hash: Digest256, mac: Digest256?)>,
        headMAC: Digest256?,
        hasEnd: Bool = true
    ) -> SequenceNumber? {
        // If a row's MAC belongs to another end, the log was cut or extended after its last record.
        let last = SequenceNumber(log.count)
        var proof = LogAuthentication(keys: self, end: nil)
        for (hash, mac) in log {
            guard proof.accepts(hash: hash, mac: mac) else { return proof.head.sequence.next }
        }
        guard hasEnd else { return nil }
        return headMAC == mac(of: proof.head) ? nil : last.next
    }

    private static func update(_ code: inout HMAC<SHA256>, with hash: Digest256) {
        let words = (
            hash.words.0.bigEndian, hash.words.1.bigEndian, hash.words.2.bigEndian,
            hash.words.3.bigEndian
        )
        withUnsafeBytes(of: words) { code.update(data: $0) }
    }

    /// HMAC-SHA-256 of a plaintext under the fingerprint key.
    public func fingerprint(of plaintext: String) -> Digest256 {
        var text = plaintext
        var code = fingerprints
        text.withUTF8 { code.update(data: $0) }
        return code.finalize().withUnsafeBytes { Digest256(raw: $0) }
    }

    /// Seals a plaintext for its location in the log.
    ///
    /// - Parameters:
    ///   - plaintext: The text to seal.
    ///   - place: The location `stream/seq/N`, which is authenticated with the ciphertext.
    ///   - nonce: Twelve unpredictable bytes that are used only once.
    /// - Returns: Nonce, ciphertext and tag, or `nil` when the nonce is not twelve bytes long.
    package func seal(
        _ plaintext: String,
        at place: String,
        nonce: some Collection<UInt8>
    ) -> [UInt8]? {
        guard nonce.count == Self.nonceBytes, let nonce = try? AES.GCM.Nonce(data: Array(nonce))
        else { return nil }
        var (plaintext, place) = (plaintext, place)
        // Borrow the bytes instead of copying them: only the result needs memory.
        let box = plaintext.withUTF8 { plaintext in
            place.withUTF8 { place in
                try? AES.GCM.seal(
                    UnsafeRawBufferPointer(plaintext),
                    using: dataKey,
                    nonce: nonce,
                    authenticating: UnsafeRawBufferPointer(place)
                )
            }
        }
        return box?.combined?.withUnsafeBytes { Array($0) }
    }

    /// Opens a seal.
    ///
    /// - Returns: The plaintext, or `nil` when the seal was not made for this location with these
    ///   keys.
    package func open(_ seal: [UInt8], at place: String) -> String? {
        guard let box = try? AES.GCM.SealedBox(combined: seal),
            let bytes = try? AES.GCM.open(box, using: dataKey, authenticating: Array(place.utf8))
        else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension Digest256 {
    /// Creates a digest from 32 raw bytes.
    package init(raw bytes: UnsafeRawBufferPointer) {
        func word(_ index: Int) -> UInt64 {
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
        }
        self.init(words: (word(0), word(1), word(2), word(3)))
    }
}

extension SessionKeys: CustomStringConvertible, CustomReflectable {
    /// A constant text; never the keys.
    public var description: String { "session keys" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
