internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `fork`: copies the beginning of a session to a new store, where it continues at a sandbox.
struct ForkCommand: SessionOrFileCommand {
    static let configuration = CommandConfiguration(
        commandName: "fork",
        abstract: "Copy the beginning of a session into a scratch store and continue at a sandbox.",
        discussion: """
            Use this to try what would have happened from a certain event on. The log up to --at \
            becomes a new session with its own id in a scratch store, and you continue it there \
            with the usual commands. Sealed values (URLs, tokens, telephone numbers) are not \
            copied, and no keys are needed. A scratch store connects only to this machine, \
            whatever the configuration says, and can never become an ordinary store. The first \
            record of the copy names the session it was forked from.

            Examples:
              workflowctl fork SESSION --at 5 --sandbox http://127.0.0.1:8093
            """
    )

    @OptionGroup var source: LogArguments

    @Option(help: ArgumentHelp("The sequence number of the last event to copy.", valueName: "seq"))
    var at: SequenceNumber

    @Option(
        help: ArgumentHelp(
            "The URL of a sandbox on this machine, or of its merchant backend. The fork gets a "
                + "new order there.",
            valueName: "url"
        )
    )
    var sandbox: String

    @Option(
        help: ArgumentHelp("The scratch store; created if it does not exist.", valueName: "url")
    )
    var into = "sqlite:scratch.db"

    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        _ = try source.chosen()
        guard at >= 1 else { throw .usage("at", "sequence numbers start at 1") }
        let address = try? SessionAddress(sandbox, allowsInsecureLoopback: true)
        guard let address, APIAddress.isLoopback(address.host) else {
            throw .usage(
                "sandbox",
                "a fork can only continue at a sandbox on this machine",
                hint: "start one with 'workflowctl sandbox --port 8093' and use its URL"
            )
        }
        guard try StoreLocation(into).kind.isFile else { throw .onlyForFiles }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let (log, decider, _) = try await ReadLog.one(source, for: self, in: invocation)
        try log.requireSound(upTo: at)
        // Checked before anything is created.
        try ForkPlace.check(log, upTo: at, under: decider)
        let location = try StoreLocation(into)
        // These variables may refer to the original's store: a fork has its own store and keys.
        var environment = invocation.environment
        for name in ["WORKFLOWCTL_KEY_FILE", "WORKFLOWCTL_MASTER_KEY", "WORKFLOWCTL_KEY_COMMAND"] {
            environment[name] = nil
        }
        let person = try Operator.read(global, environment: invocation.environment)
        let now = invocation.now()
        let fork = SessionID(at: now, cell: 0, random: SystemRandom().next())
        let store = try await location.openScratch(on: invocation.loop)
        let result: Result<Void, Failure>
        do throws(Failure) {
            let vault = try await location.firstVault(
                of: store,
                environment: environment,
                mayBeMade: true
            )
            let made: (keys: SessionKeys, wrapped: [UInt8])
            do {
                made = try await vault.makeKeys(for: fork)
            } catch {
                throw Failure(error)
            }
            let (substitution, secrets) = try await ask(log, made.keys, invocation)
            let forked = ForkedLog(
                of: log,
                upTo: at,
                as: fork,
                onto: substitution,
                at: now,
                by: person,
                under: decider
            )
            try await write(forked, made, secrets, to: store, vault, decider)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await store.close()
        try result.get()
        printResult(fork, log, invocation)
        return .done
    }

    /// Asks the sandbox for the values with which the fork continues.
    private func ask(
        _ log: SessionLog,
        _ keys: SessionKeys,
        _ invocation: Invocation
    ) async throws(Failure) -> (Substitution, SecretTable) {
        if let checkout = log.state(at: at).checkout {
            let (given, secrets) = try await ForkedCheckout.ask(
                for: checkout,
                at: sandbox,
                keys,
                on: invocation.loop
            )
            return (.checkout(given), secrets)
        }
        let url = try await SandboxOrders.create(
            at: sandbox,
            Array(JSONDocument.text(order(like: log)).utf8),
            on: invocation.loop
        )
        guard let address = try? SessionAddress(url, allowsInsecureLoopback: true),
            APIAddress.isLoopback(address.host)
        else { throw .notLoopback }
        var secrets = SecretTable()
        let sealed = secrets.seal(address.text, with: keys)
        return (.payment(address: sealed, host: address.host), secrets)
    }

    private func write(
        _ forked: ForkedLog,
        _ made: (keys: SessionKeys, wrapped: [UInt8]),
        _ secrets: SecretTable,
        to store: any PersistentStore,
        _ vault: any KeyVault,
        _ decider: SessionDecider
    ) async throws(Failure) {
        do {
            let records = try forked.records(made.keys, secrets)
            var summary = decider.summary(of: .folding(forked.events, of: forked.session))
            if case .opened(let opened)? = forked.events.first?.event,
                let address = secrets[opened.sessionURL]
            {
                summary.addressFingerprint = try await vault.addressFingerprint(
                    of: SessionAddress.identity(of: address)
                )
            }
            if let last = records.last {
                let head = StreamHead(sequence: last.sequence, hash: last.hash)
                summary.headMAC = made.keys.mac(of: head)
            }
            try await store.append(
                StreamAppend(
                    stream: forked.session,
                    expectedVersion: 0,
                    records: records,
                    summary: summary,
                    wrappedKey: made.wrapped
                )
            )
        } catch let error as EventStoreError {
            throw Failure(error)
        } catch let error as KeyVaultError {
            throw Failure(error)
        } catch {
            throw Failure(.defect, "fork.unwritable", "the fork could not be written")
        }
    }

    /// Returns an order that the sandbox treats like the original's: its amount, and saved cards if
    /// it had any.
    private func order(like log: SessionLog) -> JSONValue {
        let state = log.state(at: at)
        let money = state.money
        let hasCards = state.offers.contains { !$0.prefills.isEmpty }
        return SandboxOrderCommand.order(
            money.amount ?? 10_000,
            "Fork of a payment",
            payer: hasCards ? "payer-1" : nil
        )
    }

    private func printResult(_ fork: SessionID, _ log: SessionLog, _ invocation: Invocation) {
        if global.json {
            invocation.print([
                "session": .string("\(fork)"), "store": .string(into),
                "forkedFrom": .string("\(log.session)"), "forkedAt": .sequence(at),
            ])
        } else {
            invocation.print("\(fork)")
        }
        let store = GlobalOptions.quotedStore(into)
        let call = "\(invocation.program) --store \(store) --allow-insecure-loopback"
        invocation.note(
            "hint: '\(call) resume \(fork)' reads the session at the sandbox and continues"
        )
    }
}

extension Failure {
    /// The failure when a scratch store would connect to another machine.
    static let notLoopback = Failure(
        .refused,
        "fork.not-loopback",
        "a scratch store connects only to this machine, never to a PSP",
        hint: "use another store for real payments"
    )
}
