public import EventLog

extension EventType {
    /// The PSP returned the check-in page.
    public static let checkInOffered = EventType("checkInOffered") {
        .checkout(.checkInOffered($0))
    }
}

/// The PSP returned the check-in page.
public struct CheckInOffered: Hashable, Sendable {
    /// The check-in's script.
    public var script: Sealed

    /// Creates the data of a `checkInOffered` event.
    public init(script: Sealed) { self.script = script }
}

extension CheckInOffered: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        script = try members.require("script", value?.script)
    }
}
