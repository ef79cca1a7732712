public import EventLog

extension EventType {
    /// The client was asked to open another app.
    public static let externalAppRequested = EventType("externalAppRequested") {
        .externalAppRequested($0)
    }
}

/// The client was asked to open another app.
public struct ExternalAppRequested: Hashable, Sendable {
    /// The request for the task.
    public var request: TaskRequested
    /// The payment URL that the link must carry as `callbackurl`; `nil` when it carries none.
    public var callbackURL: OutsideText?

    /// Creates the data of an `externalAppRequested` event.
    public init(request: TaskRequested, callbackURL: OutsideText?) {
        self.request = request
        self.callbackURL = callbackURL
    }
}

extension ExternalAppRequested: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        let stored = try RequestMembers(
            &members,
            value.map { RequestMembers(request: $0.request, callbackURL: $0.callbackURL) }
        )
        (request, callbackURL) = (stored.request, stored.callbackURL)
    }
}
