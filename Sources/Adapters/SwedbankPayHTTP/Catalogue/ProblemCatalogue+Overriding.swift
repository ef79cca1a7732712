internal import EventLog
public import SwedbankPay

extension ProblemCatalogue {
    /// The effect of one row of a host's file on a catalogue.
    public struct Change: Hashable, Sendable {
        /// The row's position in the file, from 1.
        public var number: Int
        /// The type without its prefix.
        public var slug: String
        /// The effect of the row.
        public var effect: Effect

        /// The possible effects of a row of a host's file.
        public enum Effect: String, Hashable, Sendable, CaseIterable {
            /// The row changes existing rows.
            case changes
            /// The row adds a row.
            case adds
            /// The row has no effect, because the catalogue already has the same values.
            case nothing
        }
    }

    /// Returns this catalogue with rows changed or added by the host.
    ///
    /// Each row names its type, by `type` or `slug`, and the members that it changes. Without a
    /// `status`, it changes every row of its type, in every spelling that the data does not name
    /// itself; without a `family`, those rows must all have the same family. A type that the
    /// catalogue does not have, or not with that status, becomes a new row and needs all members.
    ///
    /// The version of the result is this one's, a plus sign, and a prefix of the SHA-256 of the
    /// data: events show which changes were in force when a decision was made.
    ///
    /// No change makes the engine less careful: a request that may have taken effect is reconciled
    /// before it is repeated.
    ///
    /// - Parameter data: A JSON list of rows in the catalogue's own form.
    /// - Returns: The changed catalogue.
    /// - Throws: ``ProblemCatalogueError`` with the error and its row.
    public func overridden(
        by data: [UInt8]
    ) throws(ProblemCatalogueError) -> ProblemCatalogue {
        try overriding(by: data).catalogue
    }

    /// Returns the result of ``overridden(by:)`` together with the effect of each row.
    ///
    /// - Parameter data: A JSON list of rows in the catalogue's own form.
    /// - Returns: The changed catalogue, and one change for each row of the data.
    /// - Throws: ``ProblemCatalogueError`` with the error and its row.
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

    /// The indices of the rows that a change applies to.
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
            throw part.wrong("it needs a family: \(families.joined(separator: " or "))")
        }
        return places
    }

    /// Rejects duplicate member names: only one of the two would count, which is never intended.
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
    /// Whether both rows match the same problems.
    fileprivate func isTwin(of other: ProblemCatalogue.Row) -> Bool {
        ProblemCatalogue.key(of: type) == ProblemCatalogue.key(of: other.type)
            && status == other.status && family == other.family
    }
}
