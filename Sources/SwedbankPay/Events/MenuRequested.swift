public import EventLog

extension EventType {
    /// The client was asked to show the PSP's menu.
    public static let menuRequested = EventType("menuRequested") { .menuRequested($0) }
}

/// The client was asked to show the PSP's menu.
public struct MenuRequested: Hashable, Sendable {
    /// The action that the client reports on.
    public var action: ActionID
    /// The content of the menu.
    public var mode: MenuMode
    /// The menu's script.
    public var script: Sealed

    /// Creates the data of a `menuRequested` event.
    public init(action: ActionID, mode: MenuMode, script: Sealed) {
        self.action = action
        self.mode = mode
        self.script = script
    }
}

extension MenuRequested: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        let stored = try MenuMembers(
            &members,
            value.map { MenuMembers(action: $0.action, mode: $0.mode, script: $0.script) }
        )
        guard let action = stored.action else { throw .missing(member: "action") }
        guard let script = stored.script else { throw .missing(member: "script") }
        (self.action, mode, self.script) = (action, stored.mode, script)
    }
}
