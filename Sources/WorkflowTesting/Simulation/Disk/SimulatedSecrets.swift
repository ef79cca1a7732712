public import EventLog
internal import SwedbankPay
internal import Workflow

/// The secrets of a simulated world: real plaintexts with a mark by which any leak is detected.
///
/// All sessions share one key; the check is that a secret never leaves its seal, not whose key was
/// used.
public struct SimulatedSecrets: Sendable {
    /// The prefix of every plaintext.
    static let mark = "~secret~"
    private static let markBytes = Array(mark.utf8)

    private static let sharedKeys = SessionKeys(
        dataKey: Array(repeating: 7, count: SessionKeys.dataKeyBytes)
    )

    let keys: SessionKeys?
    private(set) var table = SecretTable()
    private var byName: [String: Sealed] = [:]
    /// Whether values without a plaintext occurred, from a driver that invents responses.
    private(set) var isInvented = false

    /// Creates an empty set of secrets.
    public init() { keys = Self.sharedKeys }

    /// Returns the sealed value of a name; the same name gives the same value.
    public mutating func seal(_ name: String) -> Sealed {
        if let known = byName[name] { return known }
        let plaintext = Self.mark + name
        let sealed = keys.map { table.seal(plaintext, with: $0) } ?? Sealed(fingerprint: .zero)
        byName[name] = sealed
        return sealed
    }

    /// Invents plaintexts for values that have none.
    mutating func invent(_ values: [Sealed]) {
        for value in values where table[value] == nil {
            isInvented = true
            table.insert(Self.mark + "invented", for: value)
        }
    }

    /// Whether bytes contain a secret.
    static func stands(in bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            var place = 0
            let last = bytes.count - markBytes.count
            while place <= last {
                if bytes[place] == markBytes[0],
                    markBytes.indices.allSatisfy({ bytes[place + $0] == markBytes[$0] })
                {
                    return true
                }
                place += 1
            }
            return false
        }
    }
}

/// Nonces from a seed, for reproducible worlds; never for real seals.
struct SimulatedNonces: RandomSource {
    let seed: UInt64

    func bytes(_ count: Int) -> [UInt8] {
        var generator = SplitMix64(seed: seed)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count {
            let word = generator.next()
            withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}
