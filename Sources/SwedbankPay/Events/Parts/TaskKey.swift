public import EventLog

/// Identifies a task, so that the client is asked to perform each task only once.
///
/// The key is derived from the attempt's number, the names of the operation and the task, and the
/// task's address and values. The operation's address is not included, because a PSP may change it
/// with each response.
public struct TaskKey: Hashable, Sendable {
    /// SHA-256 over these parts.
    public var digest: Digest256

    /// Creates a key with that digest.
    public init(digest: Digest256) { self.digest = digest }
}

extension TaskKey: MemberForm {
    package func write(to writer: inout CanonicalWriter) { writer.digest(digest) }

    package static func read(from reader: inout CanonicalReader) throws(EventDecodingError) -> Self
    {
        TaskKey(digest: try reader.digest())
    }

    package static func sample(by sampler: inout FormSampler) -> TaskKey {
        TaskKey(digest: .sample(by: &sampler))
    }
}
