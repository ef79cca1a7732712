public import EventLog

extension EventType {
    /// The PSP's page navigated to another page, in a checkout whose navigation is recorded.
    public static let navigated = EventType("navigated") { .checkout(.navigated($0)) }
}

/// A page that the payer was led to.
public struct Navigated: Hashable, Sendable {
    /// The action whose page led there.
    public var action: ActionID
    /// The host, or the scheme of an app's link followed by a colon; never more of the address.
    public var destination: String?
    /// The target in which it opened.
    public var place: Place
    /// The whole address, if the host requires it to be recorded.
    public var url: Sealed?

    /// The target in which a page opens.
    public enum Place: String, CaseIterable, Sendable, NameForm {
        /// In the web view of the PSP's page.
        case webView
        /// In the payer's browser.
        case browser
        /// In another app.
        case app
    }

    /// Creates a step to that page.
    public init(action: ActionID, destination: String?, place: Place, url: Sealed? = nil) {
        self.action = action
        self.destination = destination
        self.place = place
        self.url = url
    }
}

extension Navigated: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        action = try members.require("action", value?.action)
        destination = try members.find("destination", value?.destination)
        place = try members.require("place", value?.place)
        url = try members.find("url", value?.url)
    }
}
