/// The node and the build that recorded an event, and the cause.
public struct EventMetadata: Hashable, Sendable {
    /// The version of the program that made the decision.
    public var build: String
    /// The version of the problem catalogue that it used.
    public var catalogue: String
    /// The input that led to it, for example `command.attempt`, `answer.e-3` or `report.a-12`.
    public var cause: String
    /// The engine that recorded it.
    public var node: String
    /// The trace it belongs to; empty when there is none.
    public var trace: String

    /// Creates metadata with these members.
    public init(build: String, catalogue: String, cause: String, node: String, trace: String = "") {
        self.build = build
        self.catalogue = catalogue
        self.cause = cause
        self.node = node
        self.trace = trace
    }
}

extension EventMetadata: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("build", build)
            writer.member("catalogue", catalogue)
            writer.member("cause", cause)
            writer.member("node", node)
            if !trace.isEmpty { writer.member("trace", trace) }
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> EventMetadata {
        var object = try reader.beginObject()
        let build: String = try reader.require("build", in: &object)
        let catalogue: String = try reader.require("catalogue", in: &object)
        let cause: String = try reader.require("cause", in: &object)
        let node: String = try reader.require("node", in: &object)
        let trace: String? = try reader.find("trace", in: &object)
        try reader.endObject(&object)
        return EventMetadata(
            build: build,
            catalogue: catalogue,
            cause: cause,
            node: node,
            trace: trace ?? ""
        )
    }
}
