internal import EventLog
internal import Inspection
package import SwedbankPay

/// Performs all checks of an installation without changing anything.
///
/// The advice in its findings names commands of `workflowctl`, whichever program shows it.
package struct Checkup: Sendable {
    private let installation: Installation
    /// The checks to run.
    private let checks: Set<InstallationCheck>
    /// Whether the index is compared with every log, instead of a sample.
    private let readsAll: Bool
    /// The findings so far, in the order of the checks.
    package private(set) var findings: [Finding] = []

    /// Creates a checkup that has run no check yet.
    ///
    /// - Parameters:
    ///   - installation: The installation to examine.
    ///   - checks: The checks to run.
    ///   - readsAll: Whether the index is compared with every log instead of a sample.
    package init(
        of installation: Installation,
        checks: Set<InstallationCheck>,
        readsAll: Bool = false
    ) {
        self.installation = installation
        self.checks = checks
        self.readsAll = readsAll
    }

    /// Runs the requested checks.
    ///
    /// - Parameter psp: The PSP to contact; without it no request is sent.
    package mutating func run(psp: SessionAddress?) async {
        add(Finding(.build, .good, installation.build))
        checkConfiguration()
        if checks.contains(.connections) { checkConnections() }
        if !checks.isDisjoint(with: InstallationCheck.ofStore + [.store]) {
            await checkStore()
        }
        checkWebhooks()
        if !checks.isDisjoint(with: InstallationCheck.ofProvider) {
            await checkProvider(psp)
        }
    }

    /// Records the finding of a requested check.
    private mutating func add(_ finding: Finding) {
        if checks.contains(finding.check) { findings.append(finding) }
    }

    // MARK: Checks

    /// Reports the source of the configuration, and whether others can write its file.
    private mutating func checkConfiguration() {
        switch installation.configuration {
        case .success(let source):
            add(Finding(.configuration, .good, source.words))
            if let path = source.path {
                for finding in FileCheck.permissions(configuration: path) { add(finding) }
            }
        case .failure(let failure): add(Finding(.configuration, failure))
        }
    }

    /// Checks whether the connections to the PSP and to a store on a server are encrypted.
    private mutating func checkConnections() {
        var risks: [Finding] = []
        if case .success(let place) = installation.store {
            risks = place.kind.connectionFindings()
        }
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

    private mutating func checkStore() async {
        let place: Installation.Store
        let store: any PersistentStore
        do throws(CheckupFailure) {
            place = try installation.store.get()
            store = try await place.open()
        } catch {
            return addMissingStore(error)
        }
        await checkContents(of: store, in: place)
        await store.close()
    }

    /// Adds that there is no store, as a finding of the store or of each check that was requested
    /// instead.
    private mutating func addMissingStore(_ failure: CheckupFailure) {
        add(Finding(.store, failure))
        for check in InstallationCheck.ofStore {
            add(
                checks.contains(.store)
                    ? Finding(check, .skipped, "there is no store to check")
                    : Finding(check, failure)
            )
        }
    }

    private mutating func checkContents(
        of store: any PersistentStore,
        in place: Installation.Store
    ) async {
        let (installation, kind) = (installation, place.kind)
        let source = place.source.map { ", from \($0)," } ?? ""
        await run(.store) {
            if let moved = try await ProvenanceCheck.moved(store, of: kind) { return moved }
            return try await Self.lineage(of: store, installation)
                ?? Finding(.store, .good, "\(place.name)\(source) can be read")
        }
        await run(.schema) { try await kind.schemaFinding(of: store) }
        if checks.contains(.permissions) { checkPermissions(of: place) }
        add(kind.spaceFinding())
        await run(.keys) { try await Self.keys(of: store, in: place) }
        if checks.contains(.sessions) || checks.contains(.payers) {
            await checkSessions(of: store)
        }
        await run(.time) { try await Self.newest(of: store, installation.now()) }
        if checks.contains(.projections) { await checkIndex(of: store) }
        await run(.imported) { try await ProvenanceCheck.imported(in: store) }
    }

    /// Compares the index with the logs.
    private mutating func checkIndex(of store: any PersistentStore) async {
        var check = ProjectionCheck(
            of: store,
            by: installation.rules(),
            build: installation.version
        )
        do throws(EventStoreError) {
            try await check.run(all: readsAll)
            for finding in check.findings(all: readsAll) { add(finding) }
        } catch {
            add(Finding(.projections, installation.explain(error)))
        }
    }

    /// Counts the sessions with overdue work, by the party that has to act, and the payments that
    /// need a person.
    private mutating func checkSessions(of store: any PersistentStore) async {
        do throws(EventStoreError) {
            let now = installation.now()
            let stuck = try await StuckSessions(in: store, at: now)
            let resting = try await RestingMoney(
                in: store,
                by: installation.rules(),
                at: now
            )
            let forgotten = try await ForgottenSessions(in: store, at: now)
            let found = [
                stuck.stuckFinding(at: now), forgotten.finding, resting.finding,
                try await RestingPayments(in: store, at: now).finding,
                try await AheadLogs(in: store, at: now).finding,
            ].compactMap(\.self)
            for finding in found { add(finding) }
            if found.isEmpty { add(Finding(.sessions, .good, "no session is stuck")) }
            add(stuck.waitingFinding(at: now))
        } catch {
            let failure = installation.explain(error)
            add(Finding(.sessions, failure))
            add(Finding(.payers, failure))
        }
    }

    /// Checks whether the endpoints of the service are enabled, and how many sessions wait to be
    /// sent again; an installation without endpoints has no finding unless that is all that is
    /// asked.
    private mutating func checkWebhooks() {
        let webhooks = (try? installation.store.get())?.webhooks ?? []
        if webhooks.isEmpty, checks == [.webhooks] {
            add(Finding(.webhooks, .skipped, "no webhooks are configured"))
        }
        for (name, files) in webhooks {
            if files.isDisabled {
                add(
                    Finding(
                        .webhooks,
                        .bad,
                        "the receiver of the webhook \(name) responded with 410, so it is disabled",
                        advice: "when it is to be sent again: rm \(ShellText.word(files.disabled))"
                    )
                )
                continue
            }
            let waiting = files.waiting ?? 0
            add(
                waiting == 0
                    ? Finding(.webhooks, .good, "the webhook \(name) is enabled")
                    : Finding(
                        .webhooks,
                        .warning,
                        "messages of \(waiting) session\(waiting == 1 ? "" : "s") wait for the webhook "
                            + name,
                        advice: "the service's log says why the receiver did not accept them"
                    )
            )
        }
    }

    private mutating func checkPermissions(of place: Installation.Store) {
        findings += FileCheck(store: place.kind.path).permissions(
            keys: place.keyFiles,
            secrets: place.secretFiles,
            isFile: place.kind.isFile
        )
    }

    private mutating func checkProvider(_ psp: SessionAddress?) async {
        guard let psp else {
            for check in InstallationCheck.ofProvider {
                add(Finding(check, .skipped, "not requested; --psp URL checks a PSP"))
            }
            return
        }
        let transport = CurlTransport(on: installation.loop, configuration: installation.transport)
        let check = await ProviderCheck.ask(psp, by: transport, now: installation.now)
        await transport.shutdown()
        for finding in check.findings { add(finding) }
    }

    /// Adds the finding of a check, or the reason why it could not be performed.
    private mutating func run(
        _ check: InstallationCheck,
        _ finding: () async throws -> Finding
    ) async {
        guard checks.contains(check) else { return }
        do {
            add(try await finding())
        } catch EventStoreError.missingRight where check == .keys {
            add(Finding(.keys, .skipped, "this role may not read the sessions' keys"))
        } catch let failure as CheckupFailure {
            add(Finding(check, failure))
        } catch let error as EventStoreError {
            add(Finding(check, installation.explain(error)))
        } catch {
            add(Finding(check, .bad, "the check failed: \(error)"))
        }
    }

    /// Returns why nothing is sent from the store; `nil` where it is the live one.
    private static func lineage(
        of store: any PersistentStore,
        _ installation: Installation
    ) async throws -> Finding? {
        do {
            guard let doubt = try await store.lineage().doubt else { return nil }
            return Finding(.store, installation.explain(.notAdopted(reason: doubt.words)))
        } catch EventStoreError.missingRight {
            // A role that only reads: an engine's role could not start.
            return nil
        }
    }

    /// Checks whether every session's key can be opened.
    private static func keys(
        of store: any PersistentStore,
        in place: Installation.Store
    ) async throws -> Finding {
        let census = try await store.keyCounts(of: .own)
        let vault = try place.vault()
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
        of store: any PersistentStore,
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
