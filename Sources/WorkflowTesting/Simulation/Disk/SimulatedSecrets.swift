public import EventLog
internal import SwedbankPay
internal import Workflow

/// The secrets of a simulated world: real plaintexts, marked so that they are found wherever they must not be.
///
/// All sessions share one key; what is checked is that a secret never leaves its seal, not whose key it has.
public struct SimulatedSecrets: Sendable {
    /// What every plaintext begins with.
    static let mark = "~secret~"
    private static let markBytes = Array(mark.utf8)

    private static let sharedKeys = SessionKeys(
        dataKey: Array(repeating: 7, count: SessionKeys.dataKeyBytes)
    )

    /// The same keys for logs whose records have MACs from the first on.
    static let authenticatingKeys = SessionKeys(
        dataKey: Array(repeating: 7, count: SessionKeys.dataKeyBytes),
        authenticFrom: 1
    )

    let keys: SessionKeys?
    private(set) var table = SecretTable()
    private var byName: [String: Sealed] = [:]
    /// Values that came without a plaintext, from a driver that invents answers.
    private(set) var isInvented = false

    /// No secrets yet.
    public init() { keys = Self.sharedKeys }

    /// The sealed value of a name; the same name gives the same value.
    public mutating func seal(_ name: String) -> Sealed {
        if let known = byName[name] { return known }
        let plaintext = Self.mark + name
        let sealed = keys.map { table.seal(plaintext, with: $0) } ?? Sealed(fingerprint: .zero)
        byName[name] = sealed
        return sealed
    }

    /// Makes up plaintexts for values that have none.
    mutating func invent(_ values: [Sealed]) {
        for value in values where table[value] == nil {
            isInvented = true
            table.insert(Self.mark + "invented", for: value)
        }
    }

    /// Whether a secret stands in bytes.
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

/// Nonces from a seed, for worlds that can be repeated; never for real seals.
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
