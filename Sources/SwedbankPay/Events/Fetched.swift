public import EventLog

extension EventType {
    /// The PSP's view of the session was read or changed.
    public static let fetched = EventType("fetched") { .fetched($0) }
}

/// The PSP's view of the session was read or changed.
public struct Fetched: Hashable, Sendable {
    /// The operation that returned the view.
    public var cause: Rel
    /// SHA-256 of the snapshot's canonical form.
    public var digest: Digest256
    /// The duration of a request that only reads; `nil` below one millisecond, and for requests
    /// that have events of their own.
    public var durationMilliseconds: Int64?
    /// The snapshot; `nil` when it is the same as the previous one.
    public var snapshot: Snapshot?

    /// Creates the data of a `fetched` event.
    public init(
        cause: Rel,
        digest: Digest256,
        durationMilliseconds: Int64? = nil,
        snapshot: Snapshot?
    ) {
        self.cause = cause
        self.digest = digest
        self.durationMilliseconds = durationMilliseconds
        self.snapshot = snapshot
    }
}

extension Fetched: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        cause = try members.require("cause", value?.cause)
        digest = try members.require("digest", value?.digest)
        durationMilliseconds = try members.find("durationMilliseconds", value?.durationMilliseconds)
        snapshot = try members.find("snapshot", value?.snapshot)
    }
}
