internal import Adapters
internal import EventLog
internal import HTTPTypes
internal import Inspection
internal import SwedbankPay

/// The store of a service, as far as its API shows it: the rows and records that commands read.
///
/// Commands read it as they read any other store, so that they print the same. Nothing can be
/// written to it; commands that change a payment ask the service to do so.
///
/// - Note: Isolation: any.
final class RemoteStore: PersistentStore {
    private let client: ServiceClient

    /// The maximum number of rows, and of records, that are asked for at once.
    private static let (mostRows, mostRecords) = (1000, 500)

    init(_ client: ServiceClient) { self.client = client }

    var isReadOnly: Bool { true }

    func close() async { await client.shutdown() }

    // MARK: Logs

    func read(
        _ stream: SessionID,
        from first: SequenceNumber,
        limit: Int
    ) async throws(EventStoreError) -> [StoredRecord] {
        var (records, next) = ([StoredRecord](), first)
        while records.count < limit {
            let wanted = min(limit - records.count, Self.mostRecords)
            let path = "sessions/\(stream)/events?from=\(next)&limit=\(wanted)"
            guard let response = try await get(path, unlessUnknown: true) else { return [] }
            let page = try Self.lines(of: response).map { line throws(EventStoreError) in
                try Self.record(in: line)
            }
            guard page.allSatisfy({ $0.stream == stream }) else { throw Self.strange }
            records += page
            guard page.count == wanted, let last = page.last else { break }
            next = last.sequence.next
        }
        return records
    }

    func head(of stream: SessionID) async throws(EventStoreError) -> StreamHead? {
        guard let row = try await row(of: stream),
            let last = try await read(stream, from: row.lastSequence, limit: 1).last
        else { return nil }
        return StreamHead(sequence: last.sequence, hash: last.hash)
    }

    /// `nil`: a service keeps the keys.
    func wrappedKey(of stream: SessionID) async throws(EventStoreError) -> [UInt8]? { nil }

    func records(
        after cursor: LogCursor?,
        limit: Int
    ) async throws(EventStoreError) -> [PositionedRecord] {
        let wanted = min(limit, Self.mostRecords)
        let after = cursor.map { "&after=\($0)" } ?? ""
        guard let response = try await get("events?positions=true&limit=\(wanted)\(after)") else {
            throw Self.strange
        }
        return try Self.lines(of: response).map { line throws(EventStoreError) in
            guard let json = try? JSONValue(parsing: line, exactNumbers: true),
                case .string(let text)? = json["cursor"], let cursor = LogCursor(text),
                let record = try? json["record"]?.canonical()
            else { throw Self.strange }
            return PositionedRecord(cursor: cursor, record: try Self.record(in: record))
        }
    }

    func changes(
        after cursor: LogCursor?,
        limit: Int
    ) async throws(EventStoreError) -> StoreChanges? {
        guard cursor == nil else { throw Self.unsupported }
        guard let response = try await get("events?after=newest"),
            let name = HTTPField.Name("Last-Event-ID"), let text = response.headers[name]
        else { return nil }
        guard let newest = LogCursor(text) else { throw Self.strange }
        return StoreChanges(cursor: newest)
    }

    // MARK: Rows

    func sessions(
        matching query: SessionQuery
    ) async throws(EventStoreError) -> [SessionSummary] {
        // A service derives the facts of each row that it shows.
        guard query.hasFacts != false else { return [] }
        var (rows, before) = ([SessionSummary](), query.before)
        while rows.count < query.limit {
            let wanted = min(query.limit - rows.count, Self.mostRows)
            let (page, next) = try await page(query, before, wanted)
            rows += page.filter { Self.matches($0, query) }
            guard let next else { break }
            before = next
        }
        return Array(rows.prefix(query.limit))
    }

    private func page(
        _ query: SessionQuery,
        _ before: SessionID?,
        _ limit: Int
    ) async throws(EventStoreError) -> (rows: [SessionSummary], next: SessionID?) {
        let parameters: [(String, String?)] = [
            ("facts", "true"), ("limit", "\(limit)"), ("before", before?.description),
            ("origin", query.origin.map { $0 == .imported ? "imported" : "own" } ?? "any"),
            ("open", query.isOpen.map { "\($0)" }), ("phase", query.phase),
            ("outcome", query.outcome), ("instrument", query.label), ("money", query.money),
            ("host", query.host), ("turn", query.turn), ("ending", query.ending),
            ("orderReference", query.orderReference), ("since", query.since?.description),
            ("until", query.until?.description),
            ("reference", query.reference ?? query.referencePrefix.map { $0 + "*" }),
            ("problem", query.problem ?? (query.hasProblem == true ? "any" : nil)),
        ]
        let text = parameters.compactMap { name, value in
            value.map { "\(name)=\(PercentEncoding.encoded($0))" }
        }
        guard let response = try await get("sessions?" + text.joined(separator: "&")),
            let json = response.json, case .array(let items)? = json["items"]
        else { throw Self.strange }
        let rows = items.compactMap { SessionSummary(jsonWithFacts: $0) }
        guard rows.count == items.count else { throw Self.strange }
        guard case .string(let next)? = json["next"] else { return (rows, nil) }
        return (rows, SessionID(next))
    }

    /// Whether a row meets the conditions that the service does not know, or knows less exactly.
    private static func matches(_ row: SessionSummary, _ query: SessionQuery) -> Bool {
        let conditions: [Bool?] = [
            query.problem.map { row.problem == $0 },
            query.hasProblem.map { (row.problem != nil) == $0 },
            query.reference.map { row.reference == $0 },
            query.lastAfter.map { row.lastAt > $0 },
            query.overdueSince.map { since in !row.isOver && row.dueAt.map { $0 <= since } ?? false
            },
            query.undueUntil.map { until in !row.isOver && row.dueAt.map { $0 > until } ?? true },
            query.addressFingerprint.map { _ in false },
        ]
        return conditions.allSatisfy { $0 ?? true }
    }

    // MARK: Sums

    /// The numbers of sessions that ended; of money none, whose rows all come from
    /// ``sessionsToSum(_:)``.
    func sums(
        _ sum: ReadModel.Sum,
        _ query: SessionQuery
    ) async throws(EventStoreError) -> [SessionSum] {
        guard sum == .endings else { return [] }
        let ended = try await rows(opened: query).filter(\.isOver).map { row in
            EndedCount(
                outcome: row.outcome,
                label: row.label,
                money: row.facts?.money,
                marks: (row.facts?.marks ?? 0) & EndedCount.countedMarks,
                sessions: 0
            )
        }
        return Dictionary(grouping: ended, by: \.self).map { count, members in
            count.sum(of: Int64(members.count))
        }
    }

    func sessionsToSum(
        _ query: SessionQuery
    ) async throws(EventStoreError) -> [SessionSummary] {
        try await rows(opened: query)
    }

    func openCount(_ query: SessionQuery) async throws(EventStoreError) -> Int64 {
        var open = query
        open.isOpen = true
        return Int64(try await rows(opened: open).count)
    }

    private func rows(
        opened query: SessionQuery
    ) async throws(EventStoreError) -> [SessionSummary] {
        try await allRows(
            matching: SessionQuery(
                isOpen: query.isOpen,
                label: query.label,
                since: query.since,
                until: query.until,
                origin: query.origin
            )
        )
    }

    // MARK: Requests

    private func get(
        _ path: String,
        unlessUnknown mayBeUnknown: Bool = false
    ) async throws(EventStoreError) -> ServiceClient.Response? {
        let response: ServiceClient.Response
        do throws(TransportFailure) {
            response = try await client.send(.get, path)
        } catch {
            throw .unavailable(reason: "the service cannot be reached: \(error.code)", code: nil)
        }
        switch response.status {
        case 200: return response
        case 404 where mayBeUnknown: return nil
        default: throw Self.error(Failure(response), response.status)
        }
    }

    /// The store's error that a problem of the service stands for.
    private static func error(_ failure: Failure, _ status: Int) -> EventStoreError {
        switch (status, failure.code) {
        case (401, _): .denied(reason: failure.message)
        case (403, _): .missingRight(reason: failure.message)
        case (410, "cursor.beyond-end"): .cursorRefused(.beyondEnd)
        // Also one that was adopted since.
        case (410, _): .cursorRefused(.otherStore)
        case (429, _): .overloaded(name: "requests")
        case (500, _): .corrupt(stream: nil, sequence: nil, reason: failure.message)
        default: .unavailable(reason: failure.message, code: nil)
        }
    }

    private static func lines(of response: ServiceClient.Response) -> [[UInt8]] {
        response.body.split(separator: UInt8(ascii: "\n")).map { Array($0) }
    }

    private static func record(in line: [UInt8]) throws(EventStoreError) -> StoredRecord {
        do {
            return try LogLine.decode(line)
        } catch {
            throw strange
        }
    }

    /// A response that no service sends.
    private static let strange = EventStoreError.unavailable(
        reason: "the service's response cannot be read",
        code: nil
    )
    /// What a service does not offer.
    static let unsupported = EventStoreError.missingRight(reason: notOffered)
    /// The words for it, which people do not see: the command says what to do instead.
    static let notOffered = "a service does not offer this"
}
