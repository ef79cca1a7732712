internal import EventLog
internal import Inspection
internal import SwedbankPay

/// A search for the sessions that something belongs to: first in the store's index, then in the logs.
struct SessionSearch {
    /// What is looked for.
    let wanted: Wanted
    /// How many at the most.
    let limit: Int?

    /// What was found, in that order.
    private(set) var found: [Found] = []
    /// In how many sessions nothing sealed could be compared.
    private(set) var locked = 0
    /// The logs that were read.
    private(set) var scan = StoreScan()
    /// The sessions that the index does not find, newest first.
    private var rest: [SessionSummary] = []

    init(wanted: Wanted, limit: Int?) { (self.wanted, self.limit) = (wanted, limit) }

    /// Whether the search ended with the limit.
    var isCut: Bool { limit.map { found.count >= $0 } ?? false }

    /// Finds references and identities.
    mutating func readIndex(_ query: SessionQuery, in reader: Reader) async throws(Failure) {
        for row in try await reader.store.allSessions(matching: query) {
            var matches: [Match] = []
            if wanted.isIn("\(row.session)") {
                matches.append(Match(field: "session", value: "\(row.session)"))
            }
            if let reference = row.reference, wanted.isIn(reference) {
                matches.append(Match(field: "reference", value: reference))
            }
            if matches.isEmpty {
                rest.append(row)
            } else if !isCut {
                found.append(Found(row: row, matches: matches))
            }
        }
    }

    /// Reads the logs of the other sessions, newest first.
    mutating func readLogs(in reader: Reader) async throws(Failure) {
        guard !isCut else { return }
        let environment = reader.invocation.environment
        let hasKeys = (try? reader.location.existingVault(environment: environment)) != nil
        var (scan, found, locked) = (scan, found, locked)
        try await scan.read(rest, in: reader, "looking") { row, log throws(Failure) in
            var matches = wanted.matches(in: log)
            if hasKeys, matches.isEmpty || wanted.isSealed {
                do throws(Failure) {
                    let keys = try await reader.unrecordedKeys(of: row.session)
                    matches +=
                        wanted.sealedMatches(in: log, keys) + wanted.noteMatches(in: log, keys)
                } catch {
                    locked += 1
                }
            }
            if !matches.isEmpty { found.append(Found(row: row, matches: matches)) }
            return limit.map { found.count < $0 } ?? true
        }
        (self.scan, self.found, self.locked) = (scan, found, locked)
    }
}
