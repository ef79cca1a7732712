internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// `open`: opens a session for a session URL.
struct OpenCommand: DrivingCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open a session for a session URL and read its payment methods.",
        discussion: """
            The session URL is the 'view-paymentsession' link of a payment order. Anyone who has \
            it can act on the payment, so it is sealed in the log; use - to read it from \
            standard input. If the store already has a session for the URL, that session is read \
            again and keeps its original reference, metadata and other options.

            Examples:
              workflowctl open https://api.payex.com/psp/paymentsessions/TOKEN
              workflowctl open - --reference order-4711 --amount '649.00 SEK' < url.txt
              workflowctl open - --attempt swish --msisdn +46739000001 < url.txt
            """
    )

    @Argument(help: ArgumentHelp("The session URL, or - for standard input.", valueName: "url"))
    var url: String

    @Option(help: ArgumentHelp("The merchant's reference for the payment.", valueName: "text"))
    var reference: String?

    @Option(
        help: ArgumentHelp(
            "The amount to be paid, with its currency: '649.00 SEK'. Shown until the PSP reports the amount.",
            valueName: "amount"
        )
    )
    var amount: AmountArgument?

    @Option(
        help: ArgumentHelp("Metadata to store with the session; may be repeated.", valueName: "k=v")
    )
    var metadata: [String] = []

    @Option(
        help: ArgumentHelp(
            "Start an attempt with this instrument as soon as the methods are known; may be "
                + "repeated in order of preference.",
            valueName: "instrument"
        )
    )
    var attempt: [String] = []

    @Option(
        help: ArgumentHelp(
            "The URL scheme of the payer's app, accepted by 'return'.",
            valueName: "scheme"
        )
    )
    var callbackScheme: String?

    @OptionGroup var instruments: InstrumentOptions
    @OptionGroup var driving: DrivingOptions
    @OptionGroup var global: GlobalOptions

    func refuseBadArguments() throws(Failure) {
        if url != "-" { _ = try address(url) }
        _ = try preferences(in: nil)
        if url == "-", instruments.card == "-" {
            throw .usage(
                "card",
                "the session URL and the card token cannot both be read from standard input",
                hint: "put the token in a file: --card token.txt"
            )
        }
        _ = try Notes.read(metadata)
        _ = try expected
        if let reference { try Notes.check(reference, "reference") }
        if let callbackScheme, CallbackScheme(callbackScheme) == nil {
            throw .usage(
                "callback-scheme",
                "invalid app scheme",
                hint: "write only the scheme, such as --callback-scheme myshop"
            )
        }
    }

    func perform(in invocation: Invocation) async throws(Failure) -> ExitStatus {
        let configuration = try Configuration.read(global, environment: invocation.environment)
        var text = url
        if url == "-" {
            let input = try invocation.readInput(FileBytes.valueLimit)
            text = String(
                String(decoding: input, as: UTF8.self).split(whereSeparator: \.isWhitespace)
                    .first ?? ""
            )
        }
        let address = try address(text)
        if let refusal = configuration.transport.refusal(of: address.text) {
            throw .refusedAddress(refusal)
        }
        let expected = try expected
        if let remote = try await openAtService(address, invocation) { return remote }
        let (preferences, notes) = (try preferences(in: invocation), try Notes.read(metadata))
        return try await Driver.withEngine(
            for: self,
            in: invocation,
            access: .createIfMissing
        ) { driver throws(Failure) in
            // A scratch store must not even contain the address of a real payment.
            if !APIAddress.isLoopback(address.host), try await driver.store.isScratchStore() {
                throw .notLoopback
            }
            let opening: SessionOpening
            do throws(EngineError) {
                opening = try await driver.engine.openOrRefetch(
                    address.text,
                    reference: reference,
                    metadata: notes,
                    preferences: preferences,
                    expecting: expected,
                    callbackScheme: callbackScheme ?? configuration.callbackScheme,
                    allowsInsecureLoopback: global.allowInsecureLoopback,
                    by: driver.who
                )
            } catch {
                throw Failure(error)
            }
            if opening.wasKnown { try await printResult(of: opening.session, notes, driver) }
            return try await driver.finish(opening.session, self)
        }
    }

    /// Opens the session at the service that was chosen; `nil` when none was.
    private func openAtService(
        _ address: SessionAddress,
        _ invocation: Invocation
    ) async throws(Failure) -> ExitStatus? {
        let notes = try Notes.read(metadata).sorted { $0.key < $1.key }
        let preferences = try preferences(in: invocation)
        let expected = try expected
        let members: [JSONValue.Member?] = [
            .init("url", .string(address.text)),
            reference.map { .init("reference", .string($0)) },
            notes.isEmpty
                ? nil
                : .init("metadata", .object(notes.map { .init($0.key, .string($0.value)) })),
            expected.map {
                .init(
                    "amount",
                    [
                        "minorUnits": .integer($0.amount.minorUnits),
                        "currency": .string($0.currency),
                    ]
                )
            },
            callbackScheme.map { .init("callbackScheme", .string($0)) },
            preferences.isEmpty
                ? nil : .init("preferences", .array(preferences.map(\.body))),
        ]
        return try await RemoteDriver.run(self, in: invocation) { service throws(Failure) in
            let response = try await service.post(
                "sessions",
                .object(members.compactMap(\.self)),
                wait: global.wait.duration
            )
            guard (200...202).contains(response.status),
                case .string(let text)? = response.json?["session"],
                let session = SessionID(text)
            else { throw Failure(response) }
            if response.status == 200 {
                invocation.note(
                    "note: the service already has session \(session) for this URL; no new session "
                        + "was opened, and it keeps its original options"
                )
            }
            return try await service.finish(session, self)
        }
    }

    /// Reports that the session URL is already known, and which of the given options have no
    /// effect.
    private func printResult(
        of session: SessionID,
        _ notes: [String: String],
        _ driver: Driver
    ) async throws(Failure) {
        driver.invocation.note(
            "note: the store already has session \(session) for this URL; no new session was opened"
        )
        let state: SessionState
        let secrets: SecretTable
        do {
            state = try await driver.engine.state(of: session)
            secrets = try await driver.engine.secrets(of: session)
        } catch {
            throw Failure(error)
        }
        var unused: [String] = []
        if let reference,
            reference != state.payment?.opening?.reference.flatMap({ secrets.clear($0) })
        {
            unused.append("--reference")
        }
        let kept = state.metadata.compactMapValues { secrets.clear($0) }
        if !notes.isEmpty, notes != kept { unused.append("--metadata") }
        if let expected = try expected,
            state.payment?.opening?.amount != expected.amount
                || state.payment?.opening?.currency != expected.currency
        {
            unused.append("--amount")
        }
        if !attempt.isEmpty { unused.append("--attempt") }
        if let callbackScheme, callbackScheme != state.payment?.opening?.callbackScheme {
            unused.append("--callback-scheme")
        }
        guard !unused.isEmpty else { return }
        driver.invocation.note(
            "note: it keeps its original options; ignored: \(unused.joined(separator: ", "))"
        )
        guard !attempt.isEmpty, state.outcome == nil else { return }
        let program = global.call(driver.invocation.program)
        guard let allowed = Advice(state, by: driver.engine.decider, program: program).allowed
        else { return }
        driver.invocation.note("hint: \(allowed)")
    }

    private var expected: Money? {
        get throws(Failure) {
            guard let amount else { return nil }
            guard let expected = try amount.withCurrency("amount") else {
                throw .usage(
                    "amount",
                    "the amount to be paid needs its currency and is above zero",
                    hint: "for example: --amount '649.00 SEK'"
                )
            }
            return expected
        }
    }

    private func address(_ text: String) throws(Failure) -> SessionAddress {
        do {
            return try SessionAddress(text, allowsInsecureLoopback: global.allowInsecureLoopback)
        } catch {
            let hint: String? =
                switch error {
                case .loopbackNotAllowed: "add --allow-insecure-loopback to use a sandbox"
                default: "copy the 'view-paymentsession' link of the payment order without changes"
                }
            throw Failure(.usage, error.code, error.description, hint: hint)
        }
    }

    private func preferences(in invocation: Invocation?) throws(Failure) -> [PreferenceRequest] {
        var chosen: [Instrument] = []
        for name in attempt { chosen.append(try SessionArgument.instrument(name)) }
        return try instruments.preferences(chosen, in: invocation)
    }
}

extension Failure {
    /// The failure for a session's address whose host is not allowed.
    static func unreachable(_ host: String) -> Failure {
        guard APIAddress.isLoopback(host) else { return foreignHost }
        let reason = SessionAddressError.loopbackNotAllowed
        return Failure(
            .usage,
            reason.code,
            reason.description,
            hint: "add --allow-insecure-loopback to use a sandbox"
        )
    }

    /// The failure for a host that is neither the PSP's nor allowed by the configuration.
    static let foreignHost = Failure.usage(
        "host",
        "the host of the session URL is not an allowed PSP host",
        hint: "if you trust this host, add it to 'allowedHosts' in the configuration"
    )

    /// The failure for an address to which nothing would be sent; it is never quoted.
    static func refusedAddress(_ refusal: URLRefusal) -> Failure {
        switch refusal {
        case .host, .address: foreignHost
        case .port:
            usage(
                "host",
                "the port of the URL is not allowed for its host",
                hint:
                    "if you trust it, add the host with its port, such as 'psp.example:8443', to "
                    + "'allowedHosts' in the configuration"
            )
        case .malformed, .tooLong, .forbiddenCharacter, .credentials, .fragment, .scheme:
            Failure(
                .usage,
                SessionAddressError.malformed.code,
                SessionAddressError.malformed.description,
                hint: "copy the link without changes"
            )
        }
    }
}
