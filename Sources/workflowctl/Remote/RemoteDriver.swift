internal import Adapters
internal import EventLog
internal import HTTPTypes
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// What a command sends to a service that drives its session.
struct ServiceCall: Sendable {
    /// The path below the session's own.
    var path: String
    var body: JSONValue?
}

/// Drives a session through a service: sends the command's request, follows the session, and
/// prints the same as if this process drove it.
struct RemoteDriver: Sendable {
    private let client: ServiceClient
    private let reader: Reader
    /// When the command began: what was due by then is done.
    private let begin: Instant

    private var invocation: Invocation { reader.invocation }

    /// How often a request that may have been lost is sent again, with the same key.
    private static let tries = 4
    /// The pause before the second try; it doubles.
    private static let pause = Duration.milliseconds(200)

    /// Runs a command with the service that was chosen; returns `nil` when none was.
    static func run<Value: Sendable>(
        _ command: some Command,
        in invocation: Invocation,
        _ body: (RemoteDriver) async throws(Failure) -> Value
    ) async throws(Failure) -> Value? {
        let address = try ServiceAddress.read(
            command.global,
            environment: invocation.environment
        )
        guard let address else { return nil }
        let configuration = try Configuration.read(
            command.global,
            environment: invocation.environment
        )
        let client = ServiceClient(address, configuration, on: invocation.loop)
        let reader = Reader(
            store: RemoteStore(client),
            location: StoreLocation(served: address),
            invocation: invocation,
            configuration: configuration
        )
        let driver = RemoteDriver(client: client, reader: reader, begin: invocation.now())
        let result: Result<Value, Failure>
        do throws(Failure) {
            result = .success(try await body(driver))
        } catch {
            result = .failure(error.ofService)
        }
        await client.shutdown()
        return try result.get()
    }

    /// Sends a command's request, follows the session, prints its view and reports the result.
    func drive(
        _ session: SessionID,
        _ command: some DrivingCommand,
        _ call: ServiceCall
    ) async throws(Failure) -> ExitStatus {
        let wait = command.global.wait.duration
        let response = try await post("sessions/\(session)/\(call.path)", call.body, wait: wait)
        guard (200...299).contains(response.status) else {
            throw try await refusal(Failure(response), of: session, command)
        }
        return try await finish(session, command)
    }

    /// Sends a command of which the service keeps that it was carried out.
    ///
    /// A request of which nobody knows whether it arrived is sent again with its key, so that it is
    /// carried out once.
    func post(
        _ path: String,
        _ body: JSONValue?,
        wait: Duration? = nil
    ) async throws(Failure) -> ServiceClient.Response {
        var fields = HTTPFields()
        let key = SystemRandom().bytes(16).map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }
        if let name = HTTPField.Name("Idempotency-Key") { fields[name] = key.joined() }
        var tries = 0
        while true {
            tries += 1
            do throws(TransportFailure) {
                let response = try await client.send(.post, path, body, wait: wait, fields)
                let isUnderWay = Failure(response).code == "request.under-way"
                guard response.status == 409, isUnderWay, tries < Self.tries else {
                    return response
                }
            } catch {
                guard error.isTransient, tries < Self.tries else {
                    throw Failure(error, service: client.address)
                }
            }
            try? await invocation.loop.sleep(for: Self.pause * (1 << (tries - 1)))
        }
    }

    /// Follows a session, prints its view and reports the result.
    func finish(
        _ session: SessionID,
        _ command: some DrivingCommand
    ) async throws(Failure) -> ExitStatus {
        let followed = try await follow(
            session,
            until: command.driving.until,
            for: command.global.wait.duration
        )
        try await print(followed, command)
        let report = DrivingReport(of: command, by: reader.decider, in: invocation)
        report.notePendingRetry(of: followed)
        return report.status(of: followed)
    }

    /// The state of a session, by this build's rules.
    func state(of session: SessionID) async throws(Failure) -> SessionState {
        try await SessionLog.read(session, from: reader.store).state
    }

    /// Follows a session until the goal is reached, the time is over, or the command is
    /// interrupted.
    func follow(
        _ session: SessionID,
        until goal: Goal,
        for wait: Duration
    ) async throws(Failure) -> Followed {
        let decider = reader.decider
        let end = invocation.now() + wait
        while true {
            let state = try await state(of: session)
            let followed = Followed(state: state, isSettled: decider.isSettled(state))
            let now = invocation.now()
            let isReached = followed.hasReached(goal, by: decider, since: begin, at: now)
            guard !isReached, now < end, !Task.isCancelled else { return followed }
            // A part of a second would be no wait.
            let left = max(end - now, .seconds(1))
            let passing: Failure
            do throws(TransportFailure) {
                let response = try await client.send(
                    .get,
                    "sessions/\(session)",
                    wait: left,
                    [.ifNoneMatch: "\"\(state.sequence)\""]
                )
                if [200, 304].contains(response.status) { continue }
                passing = Failure(response)
            } catch {
                passing = Failure(error, service: client.address)
                guard error.isTransient else { throw passing }
            }
            // What passes is waited for; nothing else changes by asking again.
            guard [.tryAgain, .unavailable].contains(passing.status) else { throw passing }
            try? await invocation.loop.sleep(for: Self.patience)
        }
    }

    /// The pause after a response or failure that passes.
    private static let patience = Duration.milliseconds(500)

    /// Prints the view: for a program as the service made it, with what the client's actions need
    /// if the token allows that.
    private func print(
        _ followed: Followed,
        _ command: some DrivingCommand
    ) async throws(Failure) {
        let (state, options) = (followed.state, command.global)
        if options.json {
            let response: ServiceClient.Response
            do throws(TransportFailure) {
                response = try await client.send(.get, "sessions/\(state.session)")
            } catch {
                throw Failure(error, service: client.address)
            }
            guard response.status == 200, let view = response.json else { throw Failure(response) }
            invocation.print(view)
            return
        }
        var view = SessionView(state, by: reader.decider, disclosing: .masked)
        view.possibleDuplicates = try await DuplicatePayments.others(than: state, in: reader.store)
        view.addPaymentRequests()
        invocation.print(view, options, isWaitOver: !followed.isSettled)
    }

    /// Adds to a rejection what the rules would accept; for a program, the view is still printed.
    private func refusal(
        _ failure: Failure,
        of session: SessionID,
        _ command: some DrivingCommand
    ) async throws(Failure) -> Failure {
        let isByRules = ["session.", "order."].contains(where: failure.code.hasPrefix)
        guard isByRules, let state = try? await state(of: session) else { return failure }
        let decider = reader.decider
        if command.global.json {
            let followed = Followed(state: state, isSettled: decider.isSettled(state))
            // The refusal is reported even if the view can't be.
            try? await print(followed, command)
        }
        var failure = failure
        let report = DrivingReport(of: command, by: decider, in: invocation)
        failure.hint = report.hint(for: failure.code, state)
        return failure
    }

    /// Searches for a text, which a service finds by its index and with its keys.
    func search(for text: String) async throws(Failure) -> (found: [Found], isComplete: Bool) {
        let response = try await post("search", ["text": .string(text)])
        guard response.status == 200, case .array(let items)? = response.json?["items"],
            case .bool(let isComplete)? = response.json?["complete"]
        else { throw Failure(response) }
        var found: [Found] = []
        for item in items {
            guard case .string(let name)? = item["session"], let session = SessionID(name),
                case .array(let matches)? = item["matches"],
                let row = try await reader.store.listedRow(of: session)
            else { continue }
            found.append(Found(row: row, matches: matches.compactMap(Match.init)))
        }
        return (found, isComplete)
    }

    /// Prints the story of a session, after something was recorded in it.
    func printStory(of session: SessionID, _ command: some Command) async throws(Failure) {
        let log = try await SessionLog.read(session, from: reader.store)
        let story = Story(of: session, events: log.events, by: reader.decider)
        guard !command.global.json else {
            return invocation.print(
                SessionView(story.state, by: reader.decider, disclosing: .masked).json
            )
        }
        let program = command.global.call(invocation.program, for: story.state)
        invocation.print(StoryReport(story, program: program, why: false), asJSON: false)
    }
}

extension Match {
    /// Reads a match; `nil` for another form.
    fileprivate init?(_ json: JSONValue) {
        guard case .string(let field)? = json["field"], case .string(let value)? = json["value"]
        else { return nil }
        self.init(field: field, value: value)
    }
}

// MARK: - Bodies of requests

extension GlobalOptions {
    /// The body of a request that has only a reason; `nil` without one.
    var reasonBody: JSONValue? { reason.map { ["reason": .string($0)] } }
}

extension PaymentChoice<MSISDN, CardReference<ShownRank, String>> {
    /// The body of a request for an attempt.
    var body: JSONValue { .object(members(rank: \.rank)) }
}

extension PaymentChoice<MSISDN, CardReference<Int?, String>> {
    /// A choice that is made before the methods are known.
    var body: JSONValue { .object(members(rank: \.self)) }
}

extension PaymentChoice {
    fileprivate func members<Rank>(
        rank: (Rank) -> Int?
    ) -> [JSONValue.Member] where Number == MSISDN, Card == CardReference<Rank, String> {
        func named(
            _ instrument: Instrument,
            _ others: [JSONValue.Member?] = []
        ) -> [JSONValue.Member] {
            [.init("instrument", .string(instrument.rawValue))] + others.compactMap(\.self)
        }
        return switch self {
        case .swish(let number):
            named(.swish, [number.map { .init("msisdn", .string($0.number)) }])
        case .card(.ranked(let place)):
            named(.card, [rank(place).map { .init("prefill", .integer(Int64($0))) }])
        case .card(.token(let token)): named(.card, [.init("token", .string(token))])
        case .card(.seen(let card)): named(.card, [.init("card", .string(card.maskedPan))])
        case .newCard(let showsConsent):
            named(.newCard, [.init("consentCheckbox", .bool(showsConsent))])
        case .applePay(let merchant):
            named(.applePay, [.init("merchantIdentifier", .string(merchant))])
        case .googlePay: named(.googlePay)
        case .clickToPay: named(.clickToPay)
        }
    }
}

extension MenuMode {
    /// The body of a request for the payment page.
    var body: JSONValue? {
        switch self {
        case .menu: nil
        case .restricted(let methods):
            ["only": .array(methods.map { .string($0.rawValue) })]
        case .instrument(let method): ["instrument": .string(method.rawValue)]
        }
    }
}
