/// The members in which text of people stands outside seals, and in which secrets may be masked in records without a MAC.
///
/// A path names members from the record on; lists on the way are not named.
package enum MaskableMembers<Event: LoggedEvent> {
    /// The texts of a record of that type and version; of one that this build does not know, any text of its data.
    package static func paths(of type: String, version: Int) -> [String: MaskStyle] {
        guard let type = Event.EventType(name: type), version == type.version else {
            return unknown
        }
        return paths(of: type)
    }

    private static func paths(of type: Event.EventType) -> [String: MaskStyle] {
        var paths = common
        for (member, style) in type.maskableMembers { paths["data." + member] = style }
        return paths
    }

    /// The texts of events that this build does not know; no rule of this build reads their data.
    private static var unknown: [String: MaskStyle] {
        common.merging(["data": .text]) { _, new in new }
    }

    /// All paths that there are.
    package static var all: Set<String> {
        Event.EventType.allCases.reduce(into: Set(unknown.keys)) { all, type in
            all.formUnion(paths(of: type).keys)
        }
    }

    /// What any record has.
    private static var common: [String: MaskStyle] { ["meta.node": .text] }
}
