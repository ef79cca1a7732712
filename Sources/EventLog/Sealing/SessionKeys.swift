internal import Crypto
internal import FoundationEssentials

/// The keys of one session, all derived from its data key.
///
/// Values are sealed with AES-256-GCM under the data key; the place of a value in the log is its associated
/// data, so that a seal can't be moved. Fingerprints and the MACs of records are HMAC-SHA-256 under keys derived from the
/// data key with HKDF-SHA-256.
public struct SessionKeys: Sendable {
    private let dataKey: SymmetricKey
    /// The code of nothing yet: a copy goes on with a text, which spares each the mixing of the key.
    private let fingerprints: HMAC<SHA256>
    /// The same for what records are authenticated with.
    private let records: HMAC<SHA256>

    /// From which place on every record of the session has a MAC; nothing for sessions of builds that wrote none.
    ///
    /// It is wrapped together with the data key, so that nobody without keys can pass a new log off as an old one.
    public let authenticFrom: Int64?

    /// The length of a data key.
    public static let dataKeyBytes = 32
    /// The length of what is wrapped: the data key, and from which place on records have MACs, most significant byte first.
    public static let materialBytes = dataKeyBytes + 8
    /// The length of a nonce.
    public static let nonceBytes = 12

    /// The keys that follow from a data key.
    ///
    /// - Parameters:
    ///   - bytes: The data key.
    ///   - authenticFrom: From which place on every record has a MAC.
    /// - Returns: Nothing when the key hasn't 32 bytes.
    public init?(dataKey bytes: [UInt8], authenticFrom: Int64? = nil) {
        guard bytes.count == Self.dataKeyBytes, authenticFrom.map({ $0 > 0 }) ?? true else {
            return nil
        }
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
        self.authenticFrom = authenticFrom
        fingerprints = code("payment-workflow fingerprint v1")
        records = code("payment-workflow record mac v1")
    }

    /// The keys that follow from what a vault has unwrapped.
    ///
    /// - Parameter material: ``material(_:authenticFrom:)``, or a data key alone, as earlier builds wrapped it.
    /// - Returns: Nothing when it is neither.
    public init?(material: [UInt8]) {
        guard material.count == Self.materialBytes else {
            self.init(dataKey: material)
            return
        }
        let from = material.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let from = Int64(exactly: from) else { return nil }
        self.init(dataKey: Array(material.prefix(Self.dataKeyBytes)), authenticFrom: from)
    }

    /// What a vault wraps: a data key, and from which place on every record of its session has a MAC.
    public static func material(_ dataKey: [UInt8], authenticFrom: Int64) -> [UInt8] {
        let from = UInt64(bitPattern: authenticFrom)
        return dataKey + (0..<8).map { UInt8(truncatingIfNeeded: from >> (56 - 8 * UInt64($0))) }
    }

    /// The MAC of a record: HMAC-SHA-256 of its hash, which covers its bytes, its session, its place and all before it.
    public func mac(of hash: Digest256) -> Digest256 {
        var code = records
        Self.update(&code, with: hash)
        return code.finalize().withUnsafeBytes { Digest256(raw: $0) }
    }

    /// The MAC that the record at a place has to have; nothing before the place at which MACs begin.
    func mac(of hash: Digest256, at place: Int64) -> Digest256? {
        guard let authenticFrom, place >= authenticFrom else { return nil }
        return mac(of: hash)
    }

    /// The MAC of where a log ends: of its length and the hash of its last record.
    public func mac(of head: StreamHead) -> Digest256 {
        var code = records
        let length = UInt64(bitPattern: head.sequence).bigEndian
        withUnsafeBytes(of: length) { code.update(data: $0) }
        Self.update(&code, with: head.hash)
        return code.finalize().withUnsafeBytes { Digest256(raw: $0) }
    }

    /// Whether a record is one that somebody with the session's keys wrote.
    ///
    /// Records from before the place at which MACs begin have none.
    public func isAuthentic(_ record: StoredRecord) -> Bool {
        record.mac == mac(of: record.hash, at: record.sequence)
    }

    /// The place of the first record of a whole log that nobody with the keys wrote; of the one after the last where the end was
    /// cut off.
    ///
    /// - Parameter headMAC: The MAC of where the log ends, as the session's row has it.
    public func forgery(in log: [StoredRecord], headMAC: Digest256?) -> Int64? {
        forgery(in: log.lazy.map { ($0.hash, $0.mac) }, headMAC: headMAC)
    }

    /// The same of the hashes and MACs alone.
    ///
    /// - Parameter hasEnd: Whether the row has to have a MAC of where the log ends, as that of a copy has not.
    package func forgery(
        in log: some Collection<(hash: Digest256, mac: Digest256?)>,
        headMAC: Digest256?,
        hasEnd: Bool = true
    ) -> Int64? {
        // Where a row's MAC belongs to another end, the log was cut, or lengthened, behind its last record.
        let last = Int64(log.count)
        var proof = LogAuthentication(keys: self, end: nil)
        for (hash, mac) in log {
            guard proof.takes(hash: hash, mac: mac) else { return proof.head.sequence + 1 }
        }
        guard hasEnd, let authenticFrom, last >= authenticFrom else { return nil }
        return headMAC == mac(of: proof.head) ? nil : last + 1
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

    /// Seals a plaintext at its place in the log.
    ///
    /// - Parameters:
    ///   - plaintext: What to seal.
    ///   - place: `stream/seq/N`, bound to the ciphertext.
    ///   - nonce: Twelve unpredictable bytes, used once.
    /// - Returns: Nonce, ciphertext and tag; nothing when the nonce hasn't twelve bytes.
    package func seal(
        _ plaintext: String,
        at place: String,
        nonce: some Collection<UInt8>
    ) -> [UInt8]? {
        guard nonce.count == Self.nonceBytes, let nonce = try? AES.GCM.Nonce(data: Array(nonce))
        else { return nil }
        var (plaintext, place) = (plaintext, place)
        // Lent, not copied: only what is sealed has to be put somewhere.
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
    /// - Returns: Nothing when it is not what was sealed at this place with these keys.
    package func open(_ seal: [UInt8], at place: String) -> String? {
        guard let box = try? AES.GCM.SealedBox(combined: seal),
            let bytes = try? AES.GCM.open(box, using: dataKey, authenticating: Array(place.utf8))
        else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension Digest256 {
    /// The digest in 32 raw bytes.
    package init(raw bytes: UnsafeRawBufferPointer) {
        func word(_ index: Int) -> UInt64 {
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
        }
        self.init(words: (word(0), word(1), word(2), word(3)))
    }
}

extension SessionKeys: CustomStringConvertible, CustomReflectable {
    /// Never the keys.
    public var description: String { "session keys" }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
