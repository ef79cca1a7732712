public import EventLog

extension EventType {
    /// The PSP sent a callback to the merchant's callback URL.
    public static let callbackReceived = EventType("callbackReceived") { .callbackReceived($0) }
}

/// The PSP sent a callback to the merchant's callback URL.
public struct CallbackReceived: Hashable, Sendable {
    /// SHA-256 of the body.
    public var digest: Digest256
    /// The party that submitted it, if not the PSP itself.
    public var by: String?

    /// Creates the data of a `callbackReceived` event.
    public init(digest: Digest256, by: String? = nil) {
        self.digest = digest
        self.by = by
    }
}

extension CallbackReceived: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        by = try members.find("by", value?.by)
        digest = try members.require("digest", value?.digest)
    }
}
