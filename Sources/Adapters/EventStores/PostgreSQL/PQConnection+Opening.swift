internal import CPQ
internal import Glibc
internal import UVTransport

extension PQConnection {
    /// Connects.
    ///
    /// - Parameters:
    ///   - settings: libpq's keywords with their values; a host name is accompanied by its address.
    ///   - deadline: The time limit.
    /// - Throws: ``PQFailure`` when there is no connection in time.
    func open(
        _ settings: [(keyword: String, value: String)],
        within deadline: Duration
    ) async throws(PQFailure) {
        let failure: PQFailure? = await withUnsafeContinuation { caller in
            begin(settings, deadline, caller)
        }
        if let failure { throw failure }
    }

    private func begin(
        _ settings: [(keyword: String, value: String)],
        _ deadline: Duration,
        _ caller: UnsafeContinuation<PQFailure?, Never>
    ) {
        guard loop.acceptsHandles, opening == nil, connection == nil else {
            return caller.resume(returning: PQFailure(.notConnected, "the loop is ending"))
        }
        opening = caller
        _ = TLSSecretsFile.wasWanted
        var keywords = settings.map { UnsafePointer(strdup($0.keyword)) } + [nil]
        var values = settings.map { UnsafePointer(strdup($0.value)) } + [nil]
        defer { for text in keywords + values { free(UnsafeMutablePointer(mutating: text)) } }
        connection = PQconnectStartParams(&keywords, &values, 0)
        guard let connection, PQstatus(connection) != CONNECTION_BAD else { return giveUp() }
        // Discards notices, which libpq would write to standard error.
        PQsetNoticeReceiver(connection, { _, _ in }, nil)
        // Includes the SQLSTATE, which distinguishes a refusal from an unreachable server.
        PQsetErrorVerbosity(connection, PQERRORS_VERBOSE)
        openingTimer = UVTimer(on: loop, after: deadline) { isOver in
            let words = isOver ? "no connection within the time-out" : "the loop is ending"
            self.assumeIsolated { $0.giveUp(words) }
        }
        // libpq expects to be polled for writing first.
        watch(for: PGRES_POLLING_WRITING)
    }

    /// The maximum number of bytes that a server may send until the connection is open.
    private static let openingBytes: Int64 = 1 << 20

    /// Watches for the event that libpq waits for; its socket may change each time.
    private func watch(for wanted: PostgresPollingStatusType) {
        guard let connection else { return }
        socket = PQSocket(PQsocket(connection), on: loop) {
            self.assumeIsolated { $0.goOnConnecting() }
        }
        guard let socket else { return giveUp("the socket cannot be monitored") }
        socket.listen(
            reads: wanted == PGRES_POLLING_READING,
            writes: wanted == PGRES_POLLING_WRITING
        )
    }

    private func goOnConnecting() {
        guard let connection, opening != nil else { return }
        guard socket?.arrived ?? 0 <= Self.openingBytes else {
            return giveUp("the server sent more than \(Self.openingBytes) bytes at the start")
        }
        socket?.close()
        socket = nil
        let status = PQconnectPoll(connection)
        switch status {
        case PGRES_POLLING_READING, PGRES_POLLING_WRITING: watch(for: status)
        case PGRES_POLLING_OK: settle()
        default: giveUp()
        }
    }

    private func settle() {
        guard let connection, PQsetnonblocking(connection, 1) == 0,
            PQenterPipelineMode(connection) == 1
        else { return giveUp() }
        socket = PQSocket(PQsocket(connection), on: loop) {
            self.assumeIsolated { $0.work() }
        }
        guard let socket else { return giveUp("the socket cannot be monitored") }
        socket.listen(reads: true, writes: false)
        loop.shutdownHooks[ObjectIdentifier(self)] = {
            self.assumeIsolated { $0.lose(PQFailure(.lost, "the loop is ending")) }
        }
        endOpening(nil)
    }

    private func giveUp(_ reason: String? = nil) {
        guard opening != nil else { return }
        let failure =
            reason.map { PQFailure(.notConnected, $0) }
            ?? PQFailure(
                connecting: words.isEmpty ? "no memory" : words,
                needsPassword: connection.map { PQconnectionNeedsPassword($0) == 1 } ?? false
            )
        finish()
        endOpening(failure)
    }

    private func endOpening(_ failure: PQFailure?) {
        openingTimer?.cancel()
        openingTimer = nil
        opening?.resume(returning: failure)
        opening = nil
    }
}
