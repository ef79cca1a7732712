internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `publish`: sends events to a receiver over HTTP, as they are recorded.
struct PublishCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Post events to a URL as they are recorded, at least once each.",
        discussion: """
            Sends batches of CloudEvents; those of a session in the order in which they were \
            recorded. Sealed values are left out. With the keys of the store, each record that \
            they prove is followed by what it means for the payment, as webhooks say it; without \
            keys, records are sent alone. When the receiver responds with a 2xx status, the \
            position is saved in the --position file, and the next run continues from there. \
            Otherwise the batch is sent again with increasing delays; no event is skipped. A \
            receiver may get an event more than once, always with the same id. Only one \
            publisher at a time can use a position file. Extra headers, such as Authorization, \
            are read from --headers-file.

            Runs until interrupted (exit 130). With --once, exits when everything is published, \
            or with 69 if the receiver does not accept it within --wait.

            Examples:
              workflowctl publish --to https://hooks.example/pay --position p.outbox
              workflowctl publish --to https://hooks.example/pay --position p.outbox --once
            """
    )

    @Option(help: ArgumentHelp("The receiver's URL.", valueName: "url"))
    var to: String

    @Option(
        help: ArgumentHelp(
            "The file that stores the position of the last event sent.",
            valueName: "file"
        ),
        completion: .file()
    )
    var position: String

    @Flag(help: "Exit when everything is published.")
    var once = false

    @Option(
        help: ArgumentHelp("The maximum number of events per request, 1 to 1000.", valueName: "n")
    )
    var batch = 100

    @OptionGroup var global: GlobalOptions

    static var commonOptions: Set<String> { ["--allow-insecure-loopback", "--key-command"] }

    func refuseBadArguments() throws(Failure) {
        // The address may contain a secret, so no part of it is repeated.
        guard AddressParts(to)?.host != nil else {
            throw .usage("to", "invalid receiver URL", hint: "write it as --to https://HOST/PATH")
        }
        guard !position.isEmpty, !position.utf8.contains(0) else {
            throw .usage("position", "invalid file path")
        }
        guard (1...1000).contains(batch) else {
            throw .usage("batch", "--batch must be from 1 to 1000")
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        // Only for this command: those in the environment and the configuration are for the
        // merchant backend.
        let headers =
            try global.headersFile.map { path throws(Failure) in
                try OrderSecrets.headers(in: path)
            } ?? []
        return try await Reader.withStore(for: self, in: invocation) { reader throws(Failure) in
            var network = reader.configuration.transport
            // The caller names the receiver, and no other host may be contacted.
            network.allowedHostSuffixes = (AddressParts(to)?.host).map { [$0] } ?? []
            let vault = try await vault(of: reader)
            let transport = CurlTransport(on: invocation.loop, configuration: network)
            let publisher = OutboxPublisher(
                of: reader.store,
                by: reader.decider,
                authenticatedBy: vault,
                to: to,
                over: transport,
                from: FileOutboxPosition(path: position),
                clock: UVClock(on: invocation.loop),
                options: OutboxOptions(maximumRecords: batch, headers: headers),
                report: { failure in
                    let isFinal = if case .unreadable = failure { true } else { false }
                    invocation.note(
                        "note: \(failure.description) [\(failure.code)]"
                            + (isFinal ? "" : "; retrying with increasing delays")
                    )
                }
            )
            let result: Result<OutboxProgress?, Failure>
            do throws(OutboxFailure) {
                result = .success(try await publish(with: publisher))
            } catch {
                result = .failure(Failure(error))
            }
            await transport.shutdown()
            guard let progress = try result.get(), !Task.isCancelled else { return .interrupted }
            if global.json {
                invocation.print([
                    "published": .integer(Int64(progress.events)),
                    "cursor": JSONValue(progress.cursor?.description),
                ])
            } else {
                invocation.print("\(progress.events) events published")
            }
            return .done
        }
    }

    /// Returns the keys that prove what is said of payments; `nil` when records are sent alone,
    /// after a note that says why.
    private func vault(of reader: Reader) async throws(Failure) -> (any KeyVault)? {
        let reason: String
        if reader.location.kind is ServedKind {
            reason = "a service keeps its keys"
        } else if try await reader.store.isScratchStore() {
            reason = "the store is a scratch store"
        } else if let vault = try reader.location.vault(environment: reader.invocation.environment)
        {
            do throws(Failure) {
                try await reader.location.refuseForeignKeys(vault, in: reader.store)
                return vault
            } catch {
                guard error.code == "store.missing-right" else { throw error }
                reason = "the database role may not read the sessions' keys"
            }
        } else {
            reason = "there is no master key"
        }
        reader.invocation.note(
            "note: records are sent alone, without what they mean for payments: \(reason)"
        )
        return nil
    }

    private func publish(
        with publisher: OutboxPublisher
    ) async throws(OutboxFailure) -> OutboxProgress? {
        guard once else {
            try await publisher.run()
            return nil
        }
        return try await publisher.publishAll(within: global.wait.duration)
    }
}

extension Failure {
    /// Translates a publisher's failure for the command line.
    fileprivate init(_ error: OutboxFailure) {
        switch error {
        case .store(let error): self.init(error)
        case .vault(let error): self.init(error)
        case .unreadable: self.init(.damaged, error.code, error.description)
        case .inUse:
            self.init(
                .tryAgain,
                error.code,
                error.description,
                hint: "stop the other publisher; use a separate position file for each receiver"
            )
        case .position:
            self.init(
                .unavailable,
                error.code,
                error.description,
                hint:
                    "check the path and its permissions; without the file, everything is published again"
            )
        case .otherStore:
            self.init(
                .damaged,
                error.code,
                error.description,
                hint:
                    "use the store that the file belongs to; if the store was restored, remove "
                    + "the file to publish everything again"
            )
        case .undelivered(let reason, _, _):
            self.init(
                .unavailable,
                error.code,
                error.description,
                hint: reason.hasPrefix("http.refused-url")
                    ? "nothing was sent; --to accepts https:// URLs, and http:// to this machine "
                        + "with --allow-insecure-loopback"
                    : "check the receiver, then run the command again to continue"
            )
        }
    }
}
