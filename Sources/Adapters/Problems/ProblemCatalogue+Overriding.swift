internal import EventLog
public import SwedbankPay

extension ProblemCatalogue {
    /// What one row of a host's file does to a catalogue.
    public struct Change: Hashable, Sendable {
        /// The row's place in the file, from 1.
        public var number: Int
        /// The type without its prefix.
        public var slug: String
        /// What it does.
        public var effect: Effect

        /// What a row of a host's file can do.
        public enum Effect: String, Hashable, Sendable, CaseIterable {
            /// It changes rows.
            case changes
            /// It adds a row.
            case adds
            /// The catalogue says the same without it.
            case nothing
        }
    }

    /// This catalogue with some rows changed or added by the host.
    ///
    /// Each row names its type, by `type` or `slug`, and the members that it changes. Without a `status` it changes
    /// every row of its type, in every spelling that the data doesn't name itself; without a `family` they must not be
    /// of several. A type that the catalogue doesn't have, or not with that status, becomes a row of its own and needs
    /// all members.
    ///
    /// The version of the result is this one's, a plus sign, and the beginning of the SHA-256 of the data: events
    /// tell which changes were in force when something was decided.
    ///
    /// No change makes the engine less careful: what may have taken effect is found out before it is repeated.
    ///
    /// - Parameter data: A JSON list of rows in the form of the catalogue's own.
    /// - Throws: What is wrong with the data, and with which row.
    public func overridden(
        by data: [UInt8]
    ) throws(ProblemCatalogueError) -> ProblemCatalogue {
        try overriding(by: data).catalogue
    }

    /// The same as ``overridden(by:)``, and what each row of the data did.
    ///
    /// - Parameter data: A JSON list of rows in the form of the catalogue's own.
    /// - Throws: What is wrong with the data, and with which row.
    public func overriding(
        by data: [UInt8]
    ) throws(ProblemCatalogueError) -> (catalogue: ProblemCatalogue, changes: [Change]) {
        try Self.refuseTwiceNamedMembers(in: data)
        let parts = try CatalogueRow.rows(in: data)
        let named = Set(parts.map(\.slug))
        var result = rows
        var touched: Set<Int> = []
        var changes: [Change] = []
        for part in parts {
            let places = try places(of: part, besides: named)
            var effect = Change.Effect.nothing
            for place in places {
                guard touched.insert(place).inserted else {
                    throw part.wrong("another row changes the same row of the catalogue")
                }
                result[place] = try part.merged(onto: rows[place])
                if result[place] != rows[place] { effect = .changes }
            }
            if places.isEmpty {
                let added = try part.merged(onto: nil)
                guard !result.dropFirst(rows.count).contains(where: { $0.isTwin(of: added) })
                else { throw part.wrong("another row adds the same type and status") }
                result.append(added)
                effect = .adds
            }
            changes.append(Change(number: part.number, slug: part.slug, effect: effect))
        }
        let changed = ProblemCatalogue(
            rows: result,
            version: version + "+" + Self.digest(of: data)
        )
        return (changed, changes)
    }

    /// Which rows a part is about.
    private func places(
        of part: CatalogueRow,
        besides named: Set<String>
    ) throws(ProblemCatalogueError) -> [Int] {
        let key = Self.key(of: part.type)
        let candidates = rows.indices.filter { place in
            let row = rows[place]
            return Self.key(of: row.type) == key
                && (part.status == nil || row.status == part.status)
                && (part.family == nil || row.family == part.family)
        }
        let places = candidates.filter {
            rows[$0].slug == part.slug || !named.contains(rows[$0].slug)
        }
        guard !places.isEmpty || candidates.isEmpty else {
            throw part.wrong("another row changes the same row of the catalogue")
        }
        let families = Set(places.map { rows[$0].family }).sorted()
        guard families.count <= 1 else {
            throw part.wrong("name its family: \(families.joined(separator: " or "))")
        }
        return places
    }

    /// Of two members with the same name only one would count: that is not what anybody meant.
    private static func refuseTwiceNamedMembers(
        in data: [UInt8]
    ) throws(ProblemCatalogueError) {
        guard data.count <= CatalogueRow.maximumBytes else { return }
        do throws(EventDecodingError) {
            _ = try JSONValue(parsing: data)
        } catch {
            guard error == .duplicateMember else { return }
            throw .unreadable(reason: "an object has two members of the same name")
        }
    }
}

extension ProblemCatalogue.Row {
    /// Whether a problem that fits one fits the other too.
    fileprivate func isTwin(of other: ProblemCatalogue.Row) -> Bool {
        ProblemCatalogue.key(of: type) == ProblemCatalogue.key(of: other.type)
            && status == other.status && family == other.family
    }
}
