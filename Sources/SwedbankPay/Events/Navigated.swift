public import EventLog

extension EventType {
    /// The PSP's page went to another page, in a checkout whose navigation is recorded.
    public static let navigated = EventType("navigated") { .checkout(.navigated($0)) }
}

/// A page that the payer was led to.
public struct Navigated: Hashable, Sendable {
    /// The action whose page led there.
    public var action: ActionID
    /// The host, or the scheme of an app's link with a colon behind it; never more of the address.
    public var destination: String?
    /// Where it opened.
    public var place: Place
    /// The whole address, where the host wants it recorded.
    public var url: Sealed?

    /// Where a page opens.
    public enum Place: String, CaseIterable, Sendable, NameForm {
        /// Where the PSP's page is.
        case webView
        /// In the payer's browser.
        case browser
        /// In another app.
        case app
    }

    /// A step to that page.
    public init(action: ActionID, destination: String?, place: Place, url: Sealed? = nil) {
        self.action = action
        self.destination = destination
        self.place = place
        self.url = url
    }
}

extension Navigated: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Self?) throws(EventDecodingError) {
        action = try members.require("action", value?.action)
        destination = try members.find("destination", value?.destination, mask: .address)
        place = try members.require("place", value?.place)
        url = try members.find("url", value?.url)
    }
}
