internal import UVTransport

extension PQConnection {
    /// Connects to the first host of a target that accepts the connection and has the required
    /// role.
    ///
    /// - Parameters:
    ///   - target: The hosts and settings.
    ///   - loop: The loop that watches the connection.
    ///   - writes: Whether to skip a server that only reads, such as a standby.
    ///   - options: The access and the time limits.
    /// - Returns: The connection.
    /// - Throws: ``PQFailure`` that sums up the failures of all hosts.
    static func open(
        _ target: PQTarget,
        on loop: UVLoop,
        writes: Bool,
        options: PostgreSQLOptions
    ) async throws(PQFailure) -> PQConnection {
        let time = target.timeToConnect(options)
        let end = ContinuousClock.now + min(time, options.patience ?? time)
        var failures: [PQFailure] = []
        for (index, host) in target.hosts.enumerated() {
            var addresses: [String?] = [nil]
            if host.needsAddress, let name = host.name {
                addresses = await loop.offload { PQTarget.addresses(of: name) }
                if addresses.isEmpty {
                    failures.append(PQFailure(.notConnected, "the host \(name) has no address"))
                }
            }
            for address in addresses {
                // Each host has its share of the time, so that a dead one leaves time for the next.
                let share = (end - ContinuousClock.now) / Double(target.hosts.count - index)
                guard share > .zero else { throw summary(of: failures) }
                let connection = PQConnection(
                    on: loop,
                    limits: PQConnection.Limits(
                        usual: options.statementTimeout,
                        ofWholeTables: options.maintenanceTimeout,
                        patience: options.patience
                    )
                )
                do throws(PQFailure) {
                    let settings = try PQEncryption.secured(
                        target.settings(of: host, at: address, options: options)
                    )
                    try await connection.open(settings, within: share)
                    guard try await connection.settle(options), writes else { return connection }
                    failures.append(
                        PQFailure(
                            .refused(state: "25006"),
                            "the server is a standby or read-only"
                        )
                    )
                } catch {
                    failures.append(error)
                }
                await connection.close()
            }
        }
        throw summary(of: failures)
    }

    /// Chooses the failure to report: preferably one that a server reported, with the messages of
    /// all.
    private static func summary(of failures: [PQFailure]) -> PQFailure {
        let telling =
            failures.last { $0.state != nil } ?? failures.last { $0.kind == .untrusted }
            ?? failures.last
        guard let telling else {
            return PQFailure(.notConnected, "no connection within the time-out")
        }
        var words: [String] = []
        for failure in failures where !words.contains(failure.message) {
            words.append(failure.message)
        }
        return PQFailure(telling.kind, words.joined(separator: "; "))
    }

    /// Sets the limits of a connection.
    ///
    /// They are set once the connection exists rather than at the start: connection poolers refuse
    /// startup settings that they do not know.
    private static let bounds = PQStatement(
        "bounds",
        """
        SELECT set_config(wanted.name, wanted.setting, false)
        FROM (VALUES ('statement_timeout', $1), ('idle_in_transaction_session_timeout', $1),
            ('synchronous_commit', 'on'), ('default_transaction_read_only', $2))
            AS wanted (name, setting)
        WHERE wanted.setting IS NOT NULL AND wanted.name IN (SELECT name FROM pg_settings)
        """,
        .text,
        .text
    )
    private static let readOnly = PQStatement(
        "is_read_only",
        "SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean"
    )

    /// Sets the limits of the session.
    ///
    /// - Returns: Whether the server only allowed reads before.
    private func settle(_ options: PostgreSQLOptions) async throws(PQFailure) -> Bool {
        let rows = try await run([
            PQCommand(Self.readOnly),
            PQCommand(
                Self.bounds,
                .text(options.statementTimeout.asSetting),
                !options.access.appends ? .text("on") : .null
            ),
        ])
        return rows.first?.integer(0, 0) == 1
    }
}
