internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// `publish`: sends events to an HTTP receiver as they are recorded.
struct PublishCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Post events to a web address as they are recorded, each at least once.",
        discussion: """
            In the order in which they were recorded, as batches of CloudEvents; sealed values stay sealed, and the keys \
            are not needed. What the receiver takes (status 200 to 299) is noted in the file of --position, and the \
            next run goes on from there; what it does not take is sent again, later and later, which is said on standard \
            error when it begins, and nothing is passed over. \
            A receiver may get an event twice, with the same id. One publisher at a time uses a file. Headers, as \
            for authorization, are taken from --headers-file. It runs until it is interrupted (exit 130); with --once it \
            ends when everything is published, or with 69 when the receiver does not take it within --wait.

            Examples:
              workflowctl publish --to https://hooks.example/pay --position p.outbox
              workflowctl publish --to https://hooks.example/pay --position p.outbox --once
            """
    )

    @Option(help: ArgumentHelp("The receiver's address.", valueName: "url"))
    var to: String

    @Option(
        help: ArgumentHelp("The file that holds how far it is.", valueName: "file"),
        completion: .file()
    )
    var position: String

    @Flag(help: "End when everything is published.")
    var once = false

    @Option(
        help: ArgumentHelp("How many events go together at the most, 1 to 1000.", valueName: "n")
    )
    var batch = 100

    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        // The URL may contain a secret, so the message must not quote it.
        guard AddressParts(to)?.host != nil else {
            throw .usage("to", "that is no address", hint: "write --to https://HOST/PATH")
        }
        guard !position.isEmpty, !position.utf8.contains(0) else {
            throw .usage("position", "that is no path of a file")
        }
        guard (1...1000).contains(batch) else {
            throw .usage("batch", "--batch takes a number from 1 to 1000")
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        // Only this command's credentials; those of the environment and the configuration are for
        // the merchant backend.
        let headers =
            try global.headersFile.map { path throws(Failure) in
                try OrderSecrets.headers(in: path)
            } ?? []
        return try await Reader.withStore(for: self, in: invocation) { reader throws(Failure) in
            var network = reader.configuration.transport
            // The caller chooses the receiver, and no other host is called.
            network.allowedHostSuffixes = (AddressParts(to)?.host).map { [$0] } ?? []
            let transport = CurlTransport(on: invocation.loop, configuration: network)
            let publisher = OutboxPublisher(
                of: reader.store,
                to: to,
                over: transport,
                from: FileOutboxPosition(path: position),
                clock: UVClock(on: invocation.loop),
                options: OutboxOptions(maximumRecords: batch, headers: headers),
                report: { failure in
                    invocation.note(
                        "note: \(failure.description) [\(failure.code)]; it is tried again, later and later"
                    )
                }
            )
            let result: Result<Int?, Failure>
            do throws(OutboxFailure) {
                result = .success(try await publish(with: publisher))
            } catch {
                result = .failure(Failure(error))
            }
            await transport.shutdown()
            guard let count = try result.get(), !Task.isCancelled else { return .interrupted }
            if global.json {
                invocation.print(["published": .integer(Int64(count))])
            } else {
                invocation.print("\(count) events published")
            }
            return .done
        }
    }

    private func publish(
        with publisher: OutboxPublisher
    ) async throws(OutboxFailure) -> Int? {
        guard once else {
            try await publisher.run()
            return nil
        }
        return try await publisher.publishAll(within: global.wait.duration)
    }
}

extension Failure {
    /// Returns a publisher's error as a failure of the command line.
    fileprivate init(_ error: OutboxFailure) {
        switch error {
        case .store(let error): self.init(error)
        case .inUse:
            self.init(
                .tryAgain,
                error.code,
                error.description,
                hint: "one publisher at a time uses a file; give another receiver a file of its own"
            )
        case .position:
            self.init(
                .unavailable,
                error.code,
                error.description,
                hint:
                    "check the path and its permissions; without the file everything is published again"
            )
        case .otherStore:
            self.init(
                .damaged,
                error.code,
                error.description,
                hint:
                    "name the store that the file belongs to; of a restored store, remove the file to publish everything again"
            )
        case .undelivered(let reason, _):
            self.init(
                .unavailable,
                error.code,
                error.description,
                hint: reason.hasPrefix("http.refused-url")
                    ? "nothing was sent: --to takes https://, and http:// to this machine with --allow-insecure-loopback"
                    : "look at the receiver; run the same command again to go on"
            )
        }
    }
}
