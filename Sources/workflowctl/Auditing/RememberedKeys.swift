internal import Adapters
internal import EventLog
internal import SwedbankPay

/// The public keys that have signed a store's checkpoints, as this machine has seen them: kept in a
/// file beside the store, one per line.
///
/// The first key seen is remembered, and each with which `checkpoint create` signs. They are
/// trusted where no keys are given, so whoever removes or replaces a store's checkpoints is
/// detected on the machine that has the file.
struct RememberedKeys {
    /// The maximum size of the file, in bytes.
    static let bytesLimit = 1 << 16

    /// The path of the file.
    let path: String
    /// The keys in the order in which they were first seen.
    private(set) var keys: [CheckpointKey] = []

    /// Reads the keys that are remembered for a store.
    init(of location: StoreLocation) throws(Failure) {
        path = location.checkpointFile + "-keys"
        guard let bytes = try FileBytes.readBeside(path, limit: Self.bytesLimit) else { return }
        let text = String(decoding: bytes, as: UTF8.self)
        for line in text.pieces(between: "\n") {
            guard let key = CheckpointKey(text: String(line)) else {
                throw Failure(
                    .damaged,
                    "checkpoint.unreadable",
                    "\(path) does not contain valid public keys",
                    hint: "write one key per line, or remove the file to have it created again"
                )
            }
            keys.append(key)
        }
    }

    /// Adds a key.
    mutating func remember(_ key: CheckpointKey) throws(Failure) {
        guard !keys.contains(key) else { return }
        keys.append(key)
        let text = keys.map { "\($0)\n" }.joined()
        try FileBytes.replace(path, with: Array(text.utf8))
    }
}
