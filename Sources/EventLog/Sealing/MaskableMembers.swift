/// The members that hold free text outside seals, in which secrets may be masked in records without
/// a MAC.
///
/// A path names members starting at the record; lists along the path are not named.
package enum MaskableMembers<Event: LoggedEvent> {
    /// The maskable texts of a record of that type and version; if this build does not know it, any
    /// text of its data.
    package static func paths(of type: String, version: Int) -> [String: MaskStyle] {
        guard let members = members(of: type, version: version) else { return unknown }
        return members.reduce(into: common) { $0["data." + $1.key] = $1.value }
    }

    /// The maskable texts of the data; `nil` for a form that this build does not know.
    private static func members(of type: String, version: Int) -> [String: MaskStyle]? {
        guard let known = Event.EventType(name: type) else { return nil }
        return version == known.version
            ? known.maskableMembers
            : Event.upcasters.step(of: type, from: version)?.maskableMembers
    }

    /// The maskable texts of events that this build does not know; no rule of this build reads
    /// their data.
    private static var unknown: [String: MaskStyle] {
        common.merging(["data": .text]) { _, new in new }
    }

    /// All paths of all known types and versions.
    package static var all: Set<String> {
        Event.EventType.allCases.reduce(into: Set(unknown.keys)) { all, type in
            for version in 0...max(0, type.version) {
                all.formUnion(paths(of: type.name, version: version).keys)
            }
        }
    }

    /// The maskable members of every record.
    private static var common: [String: MaskStyle] { ["meta.node": .text] }
}
