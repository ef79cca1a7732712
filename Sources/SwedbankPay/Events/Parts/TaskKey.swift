public import EventLog

/// What a task is recognised by, so that each is asked of the client once.
///
/// It is derived from the attempt's number, the operation's and the task's names, the task's address and its
/// values; not from the operation's address, which a PSP may change with each answer.
public struct TaskKey: Hashable, Sendable {
    /// SHA-256 over these parts.
    public var digest: Digest256

    /// A key of that digest.
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
