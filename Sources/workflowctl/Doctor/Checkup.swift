internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// All checks of an installation, one after the other; none changes anything.
struct Checkup: Sendable {
    private let global: GlobalOptions
    private let invocation: Invocation
    /// Whether sessions from elsewhere are told of.
    private let countsImported: Bool
    private(set) var findings: [Finding] = []

    /// Nothing looked at yet.
    init(_ global: GlobalOptions, countsImported: Bool, in invocation: Invocation) {
        self.global = global
        self.countsImported = countsImported
        self.invocation = invocation
    }

    /// Looks at everything.
    ///
    /// - Parameter psp: The PSP to ask; nothing is asked of anybody without one.
    mutating func run(psp: SessionAddress?) async {
        findings.append(Finding("build", .good, BuildFacts.line))
        let configuration = readConfiguration()
        lookAtConnections(configuration)
        await lookAtStore(configuration)
        await lookAtProvider(psp, configuration)
    }

    // MARK: Parts

    /// The configuration; the defaults when it cannot be read.
    private mutating func readConfiguration() -> Configuration {
        do throws(Failure) {
            let read = try Configuration.read(global, environment: invocation.environment)
            findings.append(Finding("configuration", .good, read.file.words))
            if let path = read.file.place?.path {
                findings += FileCheck.permissions(configuration: path)
            }
            return read
        } catch {
            findings.append(Finding("configuration", error))
            return Configuration()
        }
    }

    /// Who could read along on the way to the PSP and to a store on a server.
    private mutating func lookAtConnections(_ configuration: Configuration) {
        let environment = invocation.environment
        let location = try? StoreLocation.read(
            global,
            environment: environment,
            configuration: configuration
        )
        var risks = location?.kind.connectionRisks() ?? []
        if TLSSecretsFile.wasWanted {
            let secrets = Finding(
                "connections",
                .warning,
                "SSLKEYLOGFILE was set, and is ignored: no secrets of connections are written",
                advice: "find out who sets it; other programs do what it says"
            )
            risks.insert(secrets, at: 0)
        }
        if risks.isEmpty {
            risks = [Finding("connections", .good, "nobody is to read along")]
        }
        findings += risks
    }

    private mutating func lookAtStore(_ configuration: Configuration) async {
        let location: StoreLocation
        let store: any PaymentStore
        do throws(Failure) {
            location = try StoreLocation.read(
                global,
                environment: invocation.environment,
                configuration: configuration
            )
            store = try await location.open(.readOnly, on: invocation.loop)
        } catch {
            findings.append(Finding("store", error))
            let checks = ["schema", "permissions", "disk", "keys", "sessions"]
            for check in checks + (countsImported ? ["imported"] : []) {
                findings.append(Finding(check, .skipped, "there is no store to look at"))
            }
            return
        }
        let source = location.source.map { ", named by \($0)," } ?? ""
        let found = await Self.look("store") {
            if let moved = try await ProvenanceCheck.moved(store) { return moved }
            return try await Self.lineage(of: store)
                ?? Finding("store", .good, "\(location.text)\(source) can be read")
        }
        findings.append(found)
        let (invocation, kind) = (invocation, location.kind)
        findings.append(await Self.look("schema") { try await kind.lookAtSchema(of: store) })
        lookAtPermissions(at: location, configuration)
        findings.append(kind.lookAtRoom())
        var keys = await Self.look("keys") {
            try await Self.keys(of: store, at: location, invocation)
        }
        if keys.words.contains("[store.missing-right]") {
            keys = Finding("keys", .skipped, "this role may not read the sessions' keys")
        }
        findings.append(keys)
        let rest = [
            await Self.look("sessions") { try await Self.sessions(of: store, invocation.now()) },
            await Self.look("time") { try await Self.newest(of: store, invocation.now()) },
        ]
        findings += rest
        if countsImported {
            let imported = await Self.look("imported") {
                try await ProvenanceCheck.imported(in: store)
            }
            findings.append(imported)
        }
        await store.close()
    }

    private mutating func lookAtPermissions(
        at location: StoreLocation,
        _ configuration: Configuration
    ) {
        let environment = invocation.environment
        let paths = try? OrderSecrets.paths(global, environment, configuration.file)
        findings += FileCheck(store: location.path).permissions(
            keys: location.keyFiles(environment: environment),
            secrets: [paths?.token, paths?.headers].compactMap(\.self),
            isFile: location.kind.isFile
        )
    }

    private mutating func lookAtProvider(
        _ psp: SessionAddress?,
        _ configuration: Configuration
    ) async {
        guard let psp else {
            for check in ["psp", "clock"] {
                findings.append(Finding(check, .skipped, "not asked for; --psp URL asks a PSP"))
            }
            return
        }
        let transport = CurlTransport(on: invocation.loop, configuration: configuration.transport)
        let check = await ProviderCheck.ask(psp, by: transport, now: invocation.now)
        await transport.shutdown()
        findings += check.findings
    }

    /// What a check finds, or why it could not look.
    private static func look(
        _ name: String,
        _ check: () async throws -> Finding
    ) async -> Finding {
        do {
            return try await check()
        } catch let failure as Failure {
            return Finding(name, failure)
        } catch let error as EventStoreError {
            return Finding(name, Failure(error))
        } catch {
            return Finding(name, .bad, "it could not be looked at: \(error)")
        }
    }

    /// Why nothing is sent from the store; nil where it is the one that lives.
    private static func lineage(of store: any PaymentStore) async throws -> Finding? {
        do {
            guard let doubt = try await store.lineage().doubt else { return nil }
            return Finding("store", Failure(EventStoreError.notAdopted(reason: doubt.words)))
        } catch EventStoreError.missingRight {
            // A role that reads, granted by an earlier build: an engine's role would not start.
            return nil
        }
    }

    /// Whether every session's key can be opened.
    private static func keys(
        of store: any PaymentStore,
        at location: StoreLocation,
        _ invocation: Invocation
    ) async throws -> Finding {
        let census = try await store.keyCensus()
        let vault = try location.vault(environment: invocation.environment)
        let held = (vault as? any MasterKeyHolder)?.identities ?? []
        let missing = census.filter { $0.key.map { !held.contains($0) } ?? true }
        let lost = missing.values.reduce(0, +)
        guard lost == 0 else {
            return Finding(
                "keys",
                .bad,
                "of \(lost) session\(lost == 1 ? "" : "s") the master key is not at hand",
                advice:
                    "'workflowctl keys list' names the keys; give them with WORKFLOWCTL_KEY_FILE"
            )
        }
        guard let first = held.first else {
            return Finding("keys", .good, "nothing is sealed yet; the first session makes a key")
        }
        return Finding("keys", .good, "master key \(first) is at hand and opens every session")
    }

    /// Sessions that wait for somebody to take them up.
    private static func sessions(
        of store: any PaymentStore,
        _ now: Instant
    ) async throws -> Finding {
        let due = now + (.zero - SessionSummary.patience)
        let stuck = try await store.sessions(
            matching: SessionQuery(overdueSince: due, origin: .own)
        )
        guard let oldest = stuck.compactMap(\.dueAt).min() else {
            return try await RestingMoney(in: store, at: now).finding
                ?? Finding("sessions", .good, "none is stuck")
        }
        let age = (now - oldest).spoken
        let many = stuck.count == SessionQuery.defaultLimit ? "at least " : ""
        return Finding(
            "sessions",
            .bad,
            "\(many)\(stuck.count) \(stuck.count == 1 ? "is" : "are") stuck, the longest for \(age)",
            advice: "'workflowctl resume' takes them up; 'workflowctl list --stuck' names them"
        )
    }

    /// Whether the log is ahead of this machine's clock.
    private static func newest(
        of store: any PaymentStore,
        _ now: Instant
    ) async throws -> Finding {
        let newest = try await store.sessions(matching: SessionQuery(limit: 100)).map(\.lastAt)
            .max()
        guard let newest else { return Finding("time", .good, "no event yet") }
        let ahead = newest - now
        guard ahead > ProviderCheck.clockTolerance else {
            return Finding("time", .good, "the newest event is not after this machine's clock")
        }
        return Finding(
            "time",
            .bad,
            "the newest event is \(ahead.spoken) after this machine's clock",
            advice: "the clock was set back, or another node's is ahead: compare them"
        )
    }
}
