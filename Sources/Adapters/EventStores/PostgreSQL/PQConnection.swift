internal import CPQ
internal import Glibc
internal import UVTransport

/// One connection to a server, on a loop, in pipeline mode.
///
/// Statements submitted together form one transaction and one round trip; many such batches may be
/// under way at once, and their results arrive in order. Nothing here blocks: the loop watches the
/// socket.
///
/// - Note: Source: PostgreSQL 15, libpq: asynchronous processing and pipeline mode.
package actor PQConnection {
    /// Statements of one transaction.
    private struct Batch {
        var continuation: UnsafeContinuation<Result<[PQRows], PQFailure>, Never>
        /// How long the results may take, from when those of earlier batches are there.
        var patience: Duration
        /// The expected results in order, of executing statements or of preparing one.
        var awaited: [Reply]
        /// The number of results received.
        var arrived = 0
        var rows: [PQRows] = []
        var failure: PQFailure?
        var timer: UVTimer?

        enum Reply {
            case rows
            case prepared(String)
        }
    }

    nonisolated let loop: UVLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    /// libpq's connection; `nil` once closed.
    var connection: OpaquePointer?
    var socket: PQSocket?
    /// The caller that waits for the connection to open, and its time limit.
    var opening: UnsafeContinuation<PQFailure?, Never>?
    var openingTimer: UVTimer?
    /// The batches under way, the oldest first.
    private var batches: [Batch] = []
    /// The statements that are prepared on the server or being prepared.
    private var prepared: Set<String> = []
    /// Why the connection was lost.
    private(set) var failure: PQFailure?
    /// The limits of statements, whose time the server limits, too.
    private let limits: Limits
    /// What had arrived when the oldest batch became the oldest, or the last one ended.
    private var arrivedBefore: Int64 = 0

    /// The time limits of statements on the server, and the limits of answers; an answer may take
    /// twice as long.
    struct Limits {
        /// Of one that uses an index.
        var usual: Duration
        /// Of one that reads or changes whole tables.
        var ofWholeTables: Duration
        /// How long the answer to a usual one may take, if that is shorter.
        var patience: Duration?
        /// The maximum size of an answer in bytes, which is all in memory.
        var answerBytes: Int64 = 512 << 20
        /// The maximum number of bytes that a server may send while nothing is under way.
        var idleBytes: Int64 = 1 << 20

        /// How long the answer to a usual statement may take.
        var answerTime: Duration { min(usual * 2, patience ?? usual * 2) }
    }

    init(on loop: UVLoop, limits: Limits) {
        self.loop = loop
        self.limits = limits
    }

    /// Whether the connection is usable.
    var isOpen: Bool { connection != nil }

    // MARK: Statements

    /// Runs statements as one transaction and returns the result of each.
    ///
    /// A canceled task waits as well: what was sent cannot be recalled.
    ///
    /// - Throws: The first refusal, after which no statement has taken effect; or
    ///   ``PQFailure/Kind/lost``, after which all of them may have.
    package func run(_ commands: [PQCommand]) async throws(PQFailure) -> [PQRows] {
        guard commands.contains(where: \.statement.isLong) else {
            return try await withUnsafeContinuation { caller in
                send(commands, within: limits.answerTime, caller)
            }.get()
        }
        let longer = PQCommand(
            Self.longer,
            .text(limits.ofWholeTables.asSetting),
            .text(limits.usual.asSetting)
        )
        return Array(
            try await withUnsafeContinuation { caller in
                send([longer] + commands, within: limits.ofWholeTables * 2, caller)
            }.get().dropFirst()
        )
    }

    /// Changes the server's limit until the end of the transaction.
    ///
    /// Waiting for a lock keeps its usual limit: everybody who needs the table later would wait
    /// behind it. A server on Linux, from version 14 on, ends the statement when this process is
    /// gone.
    private static let longer = PQStatement(
        "longer",
        """
        SELECT set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true),
            (SELECT set_config(name, '5s', true) FROM pg_settings
                WHERE name = 'client_connection_check_interval' AND version() LIKE '%linux%')
        """,
        .text,
        .text
    )

    private func send(
        _ commands: [PQCommand],
        within patience: Duration,
        _ caller: UnsafeContinuation<Result<[PQRows], PQFailure>, Never>
    ) {
        guard let connection else {
            let failure = failure ?? PQFailure(.notConnected, "the connection was closed")
            return caller.resume(returning: .failure(PQFailure(.notConnected, failure.message)))
        }
        var batch = Batch(continuation: caller, patience: patience, awaited: [])
        var isSent = true
        for command in commands {
            let statement = command.statement
            if statement.isKept, prepared.insert(statement.name).inserted {
                isSent = isSent && prepare(statement, on: connection)
                batch.awaited.append(.prepared(statement.name))
            }
            isSent = isSent && send(command, on: connection)
            batch.awaited.append(.rows)
        }
        isSent = isSent && PQpipelineSync(connection) == 1
        let isFirst = batches.isEmpty
        batches.append(batch)
        guard isSent else { return lose(PQFailure(.lost, words)) }
        if isFirst { beginBatch() }
        flush()
    }

    private func prepare(_ statement: PQStatement, on connection: OpaquePointer) -> Bool {
        let types = statement.parameters.map(\.rawValue)
        return PQsendPrepare(
            connection,
            statement.name,
            statement.sql,
            Int32(types.count),
            types
        ) == 1
    }

    private func send(_ command: PQCommand, on connection: OpaquePointer) -> Bool {
        let encoded = command.values.map(\.encoded)
        let lengths = encoded.map { Int32(clamping: $0?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: encoded.count)
        // One block for all values; libpq copies them.
        var block: [UInt8] = []
        block.reserveCapacity(encoded.reduce(1) { $0 + ($1?.count ?? 0) })
        for case let value? in encoded { block += value }
        block.append(0)
        return block.withUnsafeBufferPointer { block in
            var place = 0
            let values = encoded.map { value -> UnsafePointer<CChar>? in
                guard let value, let start = block.baseAddress else { return nil }
                defer { place += value.count }
                return UnsafeRawPointer(start + place).assumingMemoryBound(to: CChar.self)
            }
            guard command.statement.isKept else {
                return PQsendQueryParams(
                    connection,
                    command.statement.sql,
                    Int32(values.count),
                    command.statement.parameters.map(\.rawValue),
                    values,
                    lengths,
                    formats,
                    1
                ) == 1
            }
            return PQsendQueryPrepared(
                connection,
                command.statement.name,
                Int32(values.count),
                values,
                lengths,
                formats,
                1
            ) == 1
        }
    }

    /// Writes buffered data; while the socket is full, it is watched for writability.
    private func flush() {
        guard let connection else { return }
        switch PQflush(connection) {
        case 0: socket?.listen(reads: true, writes: false)
        case 1: socket?.listen(reads: true, writes: true)
        default: lose(PQFailure(.lost, words))
        }
    }

    /// Reads and writes as much as the socket allows.
    func work() {
        guard let connection else { return }
        guard PQconsumeInput(connection) == 1 else { return lose(PQFailure(.lost, words)) }
        let limit = batches.isEmpty ? limits.idleBytes : limits.answerBytes
        guard arrived - arrivedBefore <= limit else {
            return lose(PQFailure(.lost, "the database sent more than \(limit) bytes at once"))
        }
        handleResults(of: connection)
        // A breach of the protocol has closed the connection.
        guard isOpen else { return }
        // Nobody listens, and libpq keeps what nobody takes.
        while let notification = PQnotifies(connection) { PQfreemem(notification) }
        guard PQstatus(connection) == CONNECTION_OK else {
            return lose(PQFailure(.lost, words))
        }
        flush()
    }

    private func handleResults(of connection: OpaquePointer) {
        // Each statement's results end with a null; a second null means that there are no more
        // results.
        var nulls = 0
        while !batches.isEmpty, PQisBusy(connection) == 0, nulls < 2 {
            guard let result = PQgetResult(connection) else {
                nulls += 1
                continue
            }
            nulls = 0
            handle(result)
        }
    }

    private func handle(_ result: OpaquePointer) {
        switch PQresultStatus(result) {
        case PGRES_PIPELINE_SYNC:
            PQclear(result)
            let batch = batches[0]
            guard batch.failure != nil || batch.arrived == batch.awaited.count else {
                return breach()
            }
            endBatch()
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
            let rows = PQRows(result)
            switch nextResponse() {
            case .rows?: batches[0].rows.append(rows)
            case .prepared?: break
            case nil: breach()
            }
        case PGRES_PIPELINE_ABORTED:
            PQclear(result)
            forget(nextResponse())
        case PGRES_FATAL_ERROR:
            // Also one of the commit, after all results.
            if batches[0].failure == nil { batches[0].failure = PQFailure(result: result) }
            PQclear(result)
            forget(nextResponse())
        default:
            // Such as COPY, which libpq would report again and again.
            PQclear(result)
            breach()
        }
    }

    /// Gives up a server that does not answer what was asked.
    private func breach() {
        lose(PQFailure(.lost, "the database sent an answer that the protocol does not allow"))
    }

    private func nextResponse() -> Batch.Reply? {
        let batch = batches[0]
        guard batch.arrived < batch.awaited.count else { return nil }
        batches[0].arrived += 1
        return batch.awaited[batch.arrived]
    }

    /// Marks a statement as not prepared, so that its next user prepares it again.
    private func forget(_ response: Batch.Reply?) {
        if case .prepared(let name)? = response { prepared.remove(name) }
    }

    private func endBatch() {
        let batch = batches.removeFirst()
        batch.timer?.cancel()
        beginBatch()
        if let failure = batch.failure {
            batch.continuation.resume(returning: .failure(failure))
        } else {
            batch.continuation.resume(returning: .success(batch.rows))
        }
    }

    /// Starts the limits of the oldest batch, or of the time without one.
    private func beginBatch() {
        arrivedBefore = arrived
        guard !batches.isEmpty else { return }
        let patience = batches[0].patience
        batches[0].timer = UVTimer(on: loop, after: patience) { isOver in
            guard isOver else { return }
            self.assumeIsolated {
                $0.lose(PQFailure(.lost, "the database did not respond for \(patience)"))
            }
        }
    }

    /// The number of bytes that have arrived so far.
    private var arrived: Int64 { socket?.arrived ?? 0 }

    // MARK: Closing

    /// Closes the connection; what is under way fails as lost.
    package func close() { lose(PQFailure(.lost, "the connection was closed")) }

    var words: String {
        connection.flatMap { PQerrorMessage($0) }.map { String(cString: $0) } ?? ""
    }

    func lose(_ failure: PQFailure) {
        guard connection != nil else { return }
        self.failure = failure
        finish()
        let abandoned = batches
        batches = []
        for batch in abandoned {
            batch.timer?.cancel()
            batch.continuation.resume(returning: .failure(failure))
        }
    }

    func finish() {
        loop.shutdownHooks[ObjectIdentifier(self)] = nil
        socket?.close()
        socket = nil
        PQfinish(connection)
        connection = nil
        prepared = []
    }
}

extension Duration {
    /// The duration as a setting of the server: milliseconds, at most 24 days.
    var asSetting: String { "\(Int32(clamping: millisecondsRoundedUp))" }
}
