internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// All checks of an installation, one after the other; none changes anything.
struct Checkup: Sendable {
    private let global: GlobalOptions
    private let invocation: Invocation
    /// What is looked at.
    private let checks: Set<DoctorCheck>
    /// Whether the index is compared with every log, instead of a sample.
    private let readsAll: Bool
    private(set) var findings: [Finding] = []

    /// Nothing looked at yet.
    ///
    /// `readsAll` asks for the index to be compared with every log, instead of a sample.
    init(
        _ global: GlobalOptions,
        checks: Set<DoctorCheck>,
        readsAll: Bool = false,
        in invocation: Invocation
    ) {
        self.global = global
        self.checks = checks
        self.readsAll = readsAll
        self.invocation = invocation
    }

    /// Looks at everything that is asked for.
    ///
    /// - Parameter psp: The PSP to ask; nothing is asked of anybody without one.
    mutating func run(psp: SessionAddress?) async {
        add(Finding(.build, .good, BuildFacts.line))
        let configuration = readConfiguration()
        if checks.contains(.connections) { lookAtConnections(configuration) }
        if !checks.isDisjoint(with: DoctorCheck.ofStore + [.store]) {
            await lookAtStore(configuration)
        }
        if !checks.isDisjoint(with: DoctorCheck.ofProvider) {
            await lookAtProvider(psp, configuration)
        }
    }

    /// Keeps a finding of a check that was asked for.
    private mutating func add(_ finding: Finding) {
        if checks.contains(finding.check) { findings.append(finding) }
    }

    // MARK: Parts

    /// The configuration; the defaults when it cannot be read.
    private mutating func readConfiguration() -> Configuration {
        do throws(Failure) {
            let read = try Configuration.read(global, environment: invocation.environment)
            add(Finding(.configuration, .good, read.file.words))
            if let path = read.file.place?.path {
                for finding in FileCheck.permissions(configuration: path) { add(finding) }
            }
            return read
        } catch {
            add(Finding(.configuration, error))
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
                .connections,
                .warning,
                "SSLKEYLOGFILE was set, and is ignored: no secrets of connections are written",
                advice: "find out who sets it; other programs do what it says"
            )
            risks.insert(secrets, at: 0)
        }
        if risks.isEmpty {
            risks = [Finding(.connections, .good, "nobody is to read along")]
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
            return tell(ofNoStore: error)
        }
        await look(into: store, at: location, configuration)
        await store.close()
    }

    /// That there is no store to look at: a finding of the store, or of each check that was asked for instead of it.
    private mutating func tell(ofNoStore failure: Failure) {
        add(Finding(.store, failure))
        for check in DoctorCheck.ofStore {
            add(
                checks.contains(.store)
                    ? Finding(check, .skipped, "there is no store to look at")
                    : Finding(check, failure)
            )
        }
    }

    private mutating func look(
        into store: any PaymentStore,
        at location: StoreLocation,
        _ configuration: Configuration
    ) async {
        let (invocation, kind) = (invocation, location.kind)
        let source = location.source.map { ", named by \($0)," } ?? ""
        await look(.store) {
            if let moved = try await ProvenanceCheck.moved(store) { return moved }
            return try await Self.lineage(of: store)
                ?? Finding(.store, .good, "\(location.text)\(source) can be read")
        }
        await look(.schema) { try await kind.lookAtSchema(of: store) }
        if checks.contains(.permissions) { lookAtPermissions(at: location, configuration) }
        add(kind.lookAtRoom())
        await look(.keys) { try await Self.keys(of: store, at: location, invocation) }
        if checks.contains(.sessions) || checks.contains(.payers) {
            await lookAtSessions(of: store)
        }
        await look(.time) { try await Self.newest(of: store, invocation.now()) }
        if checks.contains(.projections) { await lookAtIndex(of: store, configuration) }
        await look(.imported) { try await ProvenanceCheck.imported(in: store) }
    }

    /// Whether the index says what the logs say.
    private mutating func lookAtIndex(
        of store: any PaymentStore,
        _ configuration: Configuration
    ) async {
        var check = ProjectionCheck(
            of: store,
            by: SessionDecider(catalogue: configuration.catalogue, limits: configuration.session)
        )
        do throws(EventStoreError) {
            for finding in try await check.findings(all: readsAll) { add(finding) }
        } catch {
            add(Finding(.projections, Failure(error)))
        }
    }

    /// Sessions with something due, by whose move it is.
    private mutating func lookAtSessions(of store: any PaymentStore) async {
        do throws(EventStoreError) {
            let overdue = try await OverdueSessions(in: store, at: invocation.now())
            add(overdue.stuck)
            add(overdue.waiting)
        } catch {
            let failure = Failure(error)
            add(Finding(.sessions, failure))
            add(Finding(.payers, failure))
        }
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
            for check in DoctorCheck.ofProvider {
                add(Finding(check, .skipped, "not asked for; --psp URL asks a PSP"))
            }
            return
        }
        let transport = CurlTransport(on: invocation.loop, configuration: configuration.transport)
        let check = await ProviderCheck.ask(psp, by: transport, now: invocation.now)
        await transport.shutdown()
        for finding in check.findings { add(finding) }
    }

    /// What a check finds, or why it could not look.
    private mutating func look(
        _ check: DoctorCheck,
        _ finding: () async throws -> Finding
    ) async {
        guard checks.contains(check) else { return }
        do {
            add(try await finding())
        } catch EventStoreError.missingRight where check == .keys {
            add(Finding(.keys, .skipped, "this role may not read the sessions' keys"))
        } catch let failure as Failure {
            add(Finding(check, failure))
        } catch let error as EventStoreError {
            add(Finding(check, Failure(error)))
        } catch {
            add(Finding(check, .bad, "it could not be looked at: \(error)"))
        }
    }

    /// Why nothing is sent from the store; nil where it is the one that lives.
    private static func lineage(of store: any PaymentStore) async throws -> Finding? {
        do {
            guard let doubt = try await store.lineage().doubt else { return nil }
            return Finding(.store, Failure(EventStoreError.notAdopted(reason: doubt.words)))
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
        let census = try await store.keyCensus(of: .own)
        let vault = try location.vault(environment: invocation.environment)
        let held = (vault as? any MasterKeyHolder)?.identities ?? []
        let missing = census.filter { $0.key.map { !held.contains($0) } ?? true }
        let lost = missing.values.reduce(0, +)
        guard lost == 0 else {
            return Finding(
                .keys,
                .bad,
                "of \(lost) session\(lost == 1 ? "" : "s") the master key is not at hand",
                advice:
                    "'workflowctl keys list' names the keys; give them with WORKFLOWCTL_KEY_FILE"
            )
        }
        guard let first = held.first else {
            return Finding(.keys, .good, "nothing is sealed yet; the first session makes a key")
        }
        return Finding(.keys, .good, "master key \(first) is at hand and opens every session")
    }

    /// Whether the log is ahead of this machine's clock.
    private static func newest(
        of store: any PaymentStore,
        _ now: Instant
    ) async throws -> Finding {
        let newest = try await store.sessions(matching: SessionQuery(origin: .own, limit: 100)).map(
            \.lastAt
        )
        .max()
        guard let newest else { return Finding(.time, .good, "no event yet") }
        let ahead = newest - now
        guard ahead > ProviderCheck.clockTolerance else {
            return Finding(.time, .good, "the newest event is not after this machine's clock")
        }
        return Finding(
            .time,
            .bad,
            "the newest event is \(ahead.spoken) after this machine's clock",
            advice: "the clock was set back, or another node's is ahead: compare them"
        )
    }
}
