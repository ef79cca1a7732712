internal import CPQBare
internal import EventLog
internal import Measuring
internal import SwedbankPay

/// PostgreSQL as a plain program would use it: libpq, one prepared `INSERT` of many rows,
/// pipelined.
///
/// - Note: Isolation: one thread at a time.
final class BareServer {
    private let connection: OpaquePointer
    /// The numbers of rows for which an `INSERT` is prepared.
    private var prepared: Set<Int> = []
    private var position: Int64 = 0

    /// The number of commits in progress: the next one is on its way while the server is busy with
    /// one.
    static let depth = 4
    private static let columns = 9
    private static let types: [Oid] = [2950, 20, 20, 25, 20, 17, 17, 17, 17]

    /// Connects to a database in which a store was created.
    init(_ url: String) throws {
        guard let connection = PQconnectdb(url) else {
            throw ChildProcess.Failure(description: "no memory for a connection")
        }
        self.connection = connection
        guard PQstatus(connection) == CONNECTION_OK else { throw failure }
        // The columns, key and index are those of the store.
        try execute("CREATE TABLE IF NOT EXISTS plain (LIKE events INCLUDING ALL)")
    }

    deinit { PQfinish(connection) }

    private var failure: ChildProcess.Failure {
        ChildProcess.Failure(
            description: "PostgreSQL: "
                + (PQerrorMessage(connection).map { String(cString: $0) } ?? "")
        )
    }

    /// Executes a statement without parameters.
    func execute(_ sql: String) throws {
        let result = PQexec(connection, sql)
        defer { PQclear(result) }
        guard [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result)) else {
            throw failure
        }
    }

    /// Inserts each batch with one statement and one commit, with several in progress at a time.
    func write(_ batches: [[StoredRecord]], depth: Int = BareServer.depth) throws {
        for count in Set(batches.map(\.count)).subtracting(prepared) {
            try prepare(count)
            prepared.insert(count)
        }
        guard PQenterPipelineMode(connection) == 1 else { throw failure }
        var underway = 0
        for batch in batches {
            if underway == depth {
                try awaitOne()
                underway -= 1
            }
            try send(batch)
            underway += 1
        }
        for _ in 0..<underway { try awaitOne() }
        guard PQexitPipelineMode(connection) == 1 else { throw failure }
    }

    private func prepare(_ count: Int) throws {
        let rows = (0..<count).map { row in
            let values = (1...Self.columns).map { "$\(row * Self.columns + $0)" }
            return "(\(values.joined(separator: ", ")))"
        }
        let sql = """
            INSERT INTO plain (session, seq, position, type, at, record, prev, hash, seals)
            VALUES \(rows.joined(separator: ", "))
            """
        let types = (0..<count).flatMap { _ in Self.types }
        let result = PQprepare(connection, "plain_\(count)", sql, Int32(types.count), types)
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw failure }
    }

    private func send(_ batch: [StoredRecord]) throws {
        var block: [UInt8] = []
        var lengths: [Int32] = []
        var isNull: [Bool] = []
        func add(_ bytes: some Collection<UInt8>) {
            block.append(contentsOf: bytes)
            lengths.append(Int32(clamping: bytes.count))
            isNull.append(false)
        }
        func add(_ number: Int64) { withUnsafeBytes(of: number.bigEndian) { add(Array($0)) } }
        for record in batch {
            position += 1
            // A text of fixed length, which libpq expects to end with a zero.
            block.append(contentsOf: record.stream.description.utf8)
            block.append(0)
            lengths.append(Int32(clamping: record.stream.description.utf8.count + 1))
            isNull.append(false)
            add(record.sequence.rawValue)
            add(position)
            add(record.type.utf8)
            add(record.at.microseconds)
            add(record.canonical)
            add(record.previous.bytes)
            add(record.hash.bytes)
            let seals = record.seals.flatMap { seal in
                withUnsafeBytes(of: UInt32(clamping: seal.count).bigEndian) { Array($0) } + seal
            }
            add(seals)
            isNull[isNull.count - 1] = seals.isEmpty
        }
        let formats = lengths.indices.map { Int32($0 % Self.columns == 0 ? 0 : 1) }
        let isSent = block.withUnsafeBufferPointer { block in
            var place = 0
            let values = zip(lengths, isNull).map { length, isNull -> UnsafePointer<CChar>? in
                guard !isNull, let start = block.baseAddress else { return nil }
                defer { place += Int(length) }
                return UnsafeRawPointer(start + place).assumingMemoryBound(to: CChar.self)
            }
            return PQsendQueryPrepared(
                connection,
                "plain_\(batch.count)",
                Int32(values.count),
                values,
                lengths,
                formats,
                1
            ) == 1
        }
        guard isSent, PQpipelineSync(connection) == 1 else { throw failure }
    }

    /// Waits until one batch is committed.
    private func awaitOne() throws {
        var isWritten = false
        while true {
            // A null result ends the results of the statement.
            guard let result = PQgetResult(connection) else {
                guard PQstatus(connection) == CONNECTION_OK else { throw failure }
                continue
            }
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_COMMAND_OK: isWritten = true
            case PGRES_PIPELINE_SYNC:
                guard isWritten else { throw failure }
                return
            default: throw failure
            }
        }
    }
}
