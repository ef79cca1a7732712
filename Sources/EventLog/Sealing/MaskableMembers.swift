/// The members in which text of people stands outside seals, and in which secrets may be masked in records without a MAC.
///
/// A path names members from the record on; lists on the way are not named.
package enum MaskableMembers<Event: LoggedEvent> {
    /// The texts of a record of that type and version; of one that this build does not know, any text of its data.
    package static func paths(of type: String, version: Int) -> [String: MaskStyle] {
        guard let members = members(of: type, version: version) else { return unknown }
        return members.reduce(into: common) { $0["data." + $1.key] = $1.value }
    }

    /// The texts of the data; nil in a form that this build does not know.
    private static func members(of type: String, version: Int) -> [String: MaskStyle]? {
        guard let known = Event.EventType(name: type) else { return nil }
        return version == known.version
            ? known.maskableMembers
            : Event.upcasters.step(of: type, from: version)?.maskableMembers
    }

    /// The texts of events that this build does not know; no rule of this build reads their data.
    private static var unknown: [String: MaskStyle] {
        common.merging(["data": .text]) { _, new in new }
    }

    /// All paths that there are.
    package static var all: Set<String> {
        Event.EventType.allCases.reduce(into: Set(unknown.keys)) { all, type in
            for version in 0...max(0, type.version) {
                all.formUnion(paths(of: type.name, version: version).keys)
            }
        }
    }

    /// What any record has.
    private static var common: [String: MaskStyle] { ["meta.node": .text] }
}
