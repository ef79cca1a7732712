public import EventLog

/// Distinguishes snapshots by their canonical form.
public enum SnapshotCodec {
    /// SHA-256 of a snapshot's canonical form, with its sealed values numbered from 0.
    public static func digest(of snapshot: Snapshot) -> Digest256 {
        HashChain.hash(canonical(snapshot))
    }

    /// SHA-256 of an order's canonical form, with its sealed values numbered from 0.
    public static func digest(of order: OrderSnapshot) -> Digest256 {
        var writer = CanonicalWriter(capacity: 2048)
        order.write(to: &writer)
        return HashChain.hash(writer.bytes)
    }

    /// A snapshot's canonical form.
    static func canonical(_ snapshot: Snapshot) -> [UInt8] {
        var writer = CanonicalWriter(capacity: 4096)
        snapshot.write(to: &writer)
        return writer.bytes
    }
}
