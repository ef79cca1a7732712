package import EventLog

extension EventType {
    /// The payer chose to pay on the PSP's own page.
    public static let menuChosen = EventType("menuChosen") { .menuChosen($0) }
}

/// The payer chose to pay on the PSP's own page.
public struct MenuChosen: Hashable, Sendable {
    /// The content of the page.
    public var mode: MenuMode

    /// Creates the data of a `menuChosen` event.
    public init(mode: MenuMode) { self.mode = mode }
}

extension MenuChosen: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        mode = try MenuMembers(&members, value.map { MenuMembers(mode: $0.mode) }).mode
    }
}
