internal import Adapters
internal import EventLog
internal import SwedbankPay

/// The public keys that signed a store's checkpoints, in a file beside the store with one key in
/// each line.
///
/// The first key that is seen is remembered, and each key that `checkpoint create` signs with. They
/// are trusted where no keys are given, so that on this machine it is noticed when the checkpoints
/// of a store are removed or replaced by those of another signer.
struct RememberedKeys {
    /// The maximum size of the file.
    static let bytesLimit = 1 << 16

    /// The path of the file.
    let path: String
    /// The keys in the order in which they were first seen.
    private(set) var keys: [CheckpointKey] = []

    /// Reads the keys that are remembered for a store.
    init(of location: StoreLocation) throws(Failure) {
        path = location.checkpointFile + "-keys"
        guard FileFacts(path: path) != nil else { return }
        let text = String(decoding: try FileBytes.read(path, limit: Self.bytesLimit), as: UTF8.self)
        for line in text.split(separator: "\n") {
            guard let key = CheckpointKey(text: String(line)) else {
                throw Failure(
                    .damaged,
                    "checkpoint.unreadable",
                    "\(path) does not hold public keys",
                    hint: "one key a line; without the file the next key that is seen is remembered"
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
