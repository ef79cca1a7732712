internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Performs all checks of an installation without changing anything.
struct Checkup: Sendable {
    private let global: GlobalOptions
    private let invocation: Invocation
    /// The checks to run.
    private let checks: Set<DoctorCheck>
    /// Whether the index is compared with every log, instead of a sample.
    private let readsAll: Bool
    private(set) var findings: [Finding] = []

    /// Creates a checkup that has run no check yet.
    ///
    /// With `readsAll`, the index is compared with every log instead of a sample.
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

    /// Runs the requested checks.
    ///
    /// `psp` is the PSP to contact; without it no request is sent.
    mutating func run(psp: SessionAddress?) async {
        add(Finding(.build, .good, BuildFacts.line))
        let configuration = readConfiguration()
        if checks.contains(.connections) { checkConnections(configuration) }
        if !checks.isDisjoint(with: DoctorCheck.ofStore + [.store]) {
            await checkStore(configuration)
        }
        if !checks.isDisjoint(with: DoctorCheck.ofProvider) {
            await checkProvider(psp, configuration)
        }
    }

    /// Records the finding of a requested check.
    private mutating func add(_ finding: Finding) {
        if checks.contains(finding.check) { findings.append(finding) }
    }

    // MARK: Checks

    /// Reads the configuration; returns the defaults when it cannot be read.
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

    /// Checks whether the connections to the PSP and to a store on a server are encrypted.
    private mutating func checkConnections(_ configuration: Configuration) {
        let environment = invocation.environment
        let location = try? StoreLocation.read(
            global,
            environment: environment,
            configuration: configuration
        )
        var risks = location?.kind.connectionFindings() ?? []
        if TLSSecretsFile.wasWanted {
            let secrets = Finding(
                .connections,
                .warning,
                "SSLKEYLOGFILE is set and was ignored; no connection secrets are written",
                advice: "find out where it is set; other programs may obey it"
            )
            risks.insert(secrets, at: 0)
        }
        if risks.isEmpty {
            risks = [Finding(.connections, .good, "connections are encrypted where required")]
        }
        findings += risks
    }

    private mutating func checkStore(_ configuration: Configuration) async {
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
            return addMissingStore(error)
        }
        await checkContents(of: store, at: location, configuration)
        await store.close()
    }

    /// Adds that there is no store, as a finding of the store or of each check that was requested
    /// instead.
    private mutating func addMissingStore(_ failure: Failure) {
        add(Finding(.store, failure))
        for check in DoctorCheck.ofStore {
            add(
                checks.contains(.store)
                    ? Finding(check, .skipped, "there is no store to check")
                    : Finding(check, failure)
            )
        }
    }

    private mutating func checkContents(
        of store: any PaymentStore,
        at location: StoreLocation,
        _ configuration: Configuration
    ) async {
        let (invocation, kind) = (invocation, location.kind)
        let source = location.source.map { ", from \($0)," } ?? ""
        await run(.store) {
            if let moved = try await ProvenanceCheck.moved(store, of: kind) { return moved }
            return try await Self.lineage(of: store)
                ?? Finding(.store, .good, "\(location.text)\(source) can be read")
        }
        await run(.schema) { try await kind.schemaFinding(of: store) }
        if checks.contains(.permissions) { checkPermissions(at: location, configuration) }
        add(kind.spaceFinding())
        await run(.keys) { try await Self.keys(of: store, at: location, invocation) }
        if checks.contains(.sessions) || checks.contains(.payers) {
            await checkSessions(of: store, configuration)
        }
        await run(.time) { try await Self.newest(of: store, invocation.now()) }
        if checks.contains(.projections) { await checkIndex(of: store, configuration) }
        await run(.imported) { try await ProvenanceCheck.imported(in: store) }
    }

    /// Compares the index with the logs.
    private mutating func checkIndex(
        of store: any PaymentStore,
        _ configuration: Configuration
    ) async {
        var check = ProjectionCheck(
            of: store,
            by: Self.decider(configuration),
            build: Build.version
        )
        do throws(EventStoreError) {
            try await check.run(all: readsAll)
            for finding in check.findings(all: readsAll) { add(finding) }
        } catch {
            add(Finding(.projections, Failure(error)))
        }
    }

    /// Returns the rules of this build.
    private static func decider(_ configuration: Configuration) -> SessionDecider {
        SessionDecider(catalogue: configuration.catalogue, limits: configuration.session)
    }

    /// Counts the sessions with overdue work, by the party that has to act, and the payments that
    /// need a person.
    private mutating func checkSessions(
        of store: any PaymentStore,
        _ configuration: Configuration
    ) async {
        do throws(EventStoreError) {
            let now = invocation.now()
            let overdue = try await OverdueSessions(in: store, at: now)
            let resting = try await RestingMoney(
                in: store,
                by: Self.decider(configuration),
                at: now
            )
            let found = [overdue.stuckFinding(at: now)].compactMap(\.self) + resting.findings
            for finding in found { add(finding) }
            if found.isEmpty { add(Finding(.sessions, .good, "no session is stuck")) }
            add(overdue.waitingFinding(at: now))
        } catch {
            let failure = Failure(error)
            add(Finding(.sessions, failure))
            add(Finding(.payers, failure))
        }
    }

    private mutating func checkPermissions(
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

    private mutating func checkProvider(
        _ psp: SessionAddress?,
        _ configuration: Configuration
    ) async {
        guard let psp else {
            for check in DoctorCheck.ofProvider {
                add(Finding(check, .skipped, "not requested; --psp URL checks a PSP"))
            }
            return
        }
        let transport = CurlTransport(on: invocation.loop, configuration: configuration.transport)
        let check = await ProviderCheck.ask(psp, by: transport, now: invocation.now)
        await transport.shutdown()
        for finding in check.findings { add(finding) }
    }

    /// Adds the finding of a check, or the reason why it could not be performed.
    private mutating func run(
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
            add(Finding(check, .bad, "the check failed: \(error)"))
        }
    }

    /// Returns why nothing is sent from the store; `nil` where it is the live one.
    private static func lineage(of store: any PaymentStore) async throws -> Finding? {
        do {
            guard let doubt = try await store.lineage().doubt else { return nil }
            return Finding(.store, Failure(EventStoreError.notAdopted(reason: doubt.words)))
        } catch EventStoreError.missingRight {
            // A role that only reads, granted by an earlier build: an engine's role could not
            // start.
            return nil
        }
    }

    /// Checks whether every session's key can be opened.
    private static func keys(
        of store: any PaymentStore,
        at location: StoreLocation,
        _ invocation: Invocation
    ) async throws -> Finding {
        let census = try await store.keyCounts(of: .own)
        let vault = try location.vault(environment: invocation.environment)
        let held = (vault as? any MasterKeyHolder)?.identities ?? []
        let missing = census.filter { $0.key.map { !held.contains($0) } ?? true }
        let lost = missing.values.reduce(0, +)
        guard lost == 0 else {
            return Finding(
                .keys,
                .bad,
                "the master key of \(lost) session\(lost == 1 ? "" : "s") is missing",
                advice:
                    "'workflowctl keys list' shows the keys; set WORKFLOWCTL_KEY_FILE to the "
                    + "file that has them"
            )
        }
        guard let first = held.first else {
            return Finding(.keys, .good, "nothing is sealed yet; the first session creates a key")
        }
        return Finding(
            .keys,
            .good,
            "master key \(first) is available and unwraps the keys of every session"
        )
    }

    /// Checks whether the log is ahead of this machine's clock.
    private static func newest(
        of store: any PaymentStore,
        _ now: Instant
    ) async throws -> Finding {
        let newest = try await store.sessions(matching: SessionQuery(origin: .own, limit: 100)).map(
            \.lastAt
        )
        .max()
        guard let newest else { return Finding(.time, .good, "there are no events yet") }
        let ahead = newest - now
        guard ahead > ProviderCheck.clockTolerance else {
            return Finding(.time, .good, "no event is later than this machine's clock")
        }
        return Finding(
            .time,
            .bad,
            "the latest event is \(ahead.spoken) later than this machine's clock",
            advice: "this clock was set back or another node's clock is ahead; compare them"
        )
    }
}
