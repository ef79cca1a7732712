internal import Adapters
internal import EventLog
internal import SwedbankPay

/// The public keys that signed a store's checkpoints, as this machine knows them: kept beside the store, one a line.
///
/// The first key that is seen is remembered, and each that `checkpoint create` signs with. Where nobody says whose signatures
/// count, these do: whoever replaces the checkpoints of a store by their own, or takes them away, is noticed where the
/// file is.
struct RememberedKeys {
    /// The most bytes of the file that are read.
    static let bytesLimit = 1 << 16

    /// The file.
    let path: String
    /// The keys, in the order in which they were first seen.
    private(set) var keys: [CheckpointKey] = []

    /// The keys that are remembered for a store.
    init(of location: StoreLocation) throws(Failure) {
        path = location.checkpointFile + "-keys"
        guard FileFacts(path: path) != nil else { return }
        let text = String(decoding: try FileBytes.read(path, limit: Self.bytesLimit), as: UTF8.self)
        for line in text.split(separator: "\n") {
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

    /// Remembers a key.
    mutating func remember(_ key: CheckpointKey) throws(Failure) {
        guard !keys.contains(key) else { return }
        keys.append(key)
        let text = keys.map { "\($0)\n" }.joined()
        try FileBytes.replace(path, with: Array(text.utf8))
    }
}
