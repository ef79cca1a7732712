public import EventLog
public import Workflow

extension EventType {
    /// The PSP responded with success.
    public static let operationSucceeded = EventType("operationSucceeded") {
        .operationSucceeded($0)
    }
}

/// The PSP responded to a request with success.
public struct OperationSucceeded: Hashable, Sendable {
    /// The request.
    public var effect: EffectID
    /// The kind of request.
    public var rel: Rel
    /// The HTTP status.
    public var status: Int
    /// The time from its start to the complete response, in milliseconds.
    public var durationMilliseconds: Int64
    /// The content of the response.
    public var content: ResponseContent

    /// Creates the data of an `operationSucceeded` event.
    public init(
        effect: EffectID,
        rel: Rel,
        status: Int,
        durationMilliseconds: Int64,
        content: ResponseContent
    ) {
        self.effect = effect
        self.rel = rel
        self.status = status
        self.durationMilliseconds = durationMilliseconds
        self.content = content
    }
}

/// The content of a successful response.
public enum ResponseContent: Hashable, Sendable {
    /// A snapshot, which the following `fetched` event holds.
    case snapshot
    /// An empty body: the session has to be read.
    case empty
    /// Something other than a snapshot; its raw text, sealed and truncated to a limit.
    case undecodable(raw: Sealed?)
}

extension OperationSucceeded: ObjectForm {
    private enum Content: String, CaseIterable, NameForm { case snapshot, empty, undecodable }

    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        var (kind, text): (Content?, Sealed?)
        switch value?.content {
        case nil: break
        case .snapshot: kind = .snapshot
        case .empty: kind = .empty
        case .undecodable(let raw): (kind, text) = (.undecodable, raw)
        }
        let content = try members.require("content", kind)
        durationMilliseconds = try members.require(
            "durationMilliseconds",
            value?.durationMilliseconds
        )
        effect = try members.require("effect", value?.effect)
        let raw = try members.find("raw", text)
        rel = try members.require("rel", value?.rel)
        status = try members.require("status", value?.status)
        self.content =
            switch content {
            case .snapshot: .snapshot
            case .empty: .empty
            case .undecodable: .undecodable(raw: raw)
            }
    }
}
