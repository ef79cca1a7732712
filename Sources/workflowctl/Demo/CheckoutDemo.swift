internal import Adapters
internal import EventLog
internal import Inspection
internal import Sandbox
internal import SwedbankPay
internal import Workflow

/// Demonstrates a checkout from end to end.
///
/// An order, a check-in, a change of its method, the hosted page in a real browser, the PSP's
/// callback, the confirmation and a capture; then both logs are replayed.
struct CheckoutDemo: Sendable {
    let driver: Driver
    let sandbox: SandboxServer
    let stage: Sink
    let folder: String

    /// The time limit of the demonstration.
    static let patience = Duration.seconds(60)
    private static let amount: Amount = 12_500
    private static let vatAmount: Amount = 2_500

    /// The result.
    struct Result: Sendable {
        /// The logs of the checkout and of its order's native session.
        var logs: [SessionLog]
        var checks: [CheckReport]
        var verifications: [Verification]
        var callbacks: Int
        var ledger: LedgerOrder?

        /// Whether logs, replays, chains and the PSP's books are all as expected.
        var isAsExpected: Bool {
            guard logs.count == 2, let checkout = logs.first?.state.checkout else { return false }
            return logs.allSatisfy {
                $0.state.outcome == .completed && $0.state.confirmation != nil
            }
                && checks.allSatisfy { $0.divergence == nil }
                && verifications.allSatisfy { $0.first == nil } && callbacks > 0
                && checkout.order?.instrument == .creditCard
                && checkout.transactions.map(\.result) == [.done] && ledger?.doubles == []
        }
    }

    /// Runs the demonstration.
    func run() async throws(Failure) -> Result {
        guard HeadlessBrowser.path(in: driver.invocation.environment) != nil else {
            throw Failure(
                .unavailable,
                "browser.missing",
                "Chromium, which acts as the payer's browser, was not found",
                hint: "install it with 'apt-get install chromium'"
            )
        }
        let shop = CheckoutShop(
            engine: driver.engine,
            changingTo: .creditCard,
            secret: String(UInt64.random(in: .min ... .max), radix: 36)
        )
        let server = try await LocalServer.start(port: 0) { await shop.respond($0) }
        let result: Swift.Result<Result, Failure>
        do throws(Failure) {
            result = .success(try await pay(through: shop, server))
        } catch {
            result = .failure(error)
        }
        await server.shutdown()
        return try result.get()
    }

    private func pay(
        through shop: CheckoutShop,
        _ server: LocalServer
    ) async throws(Failure) -> Result {
        stage.write(
            stage.style.paint("(g) a checkout in a browser, with check-in and capture", .heading)
                + "\n"
        )
        let begin = driver.invocation.now()
        let session = try await open(server.address, shop)
        await shop.serve(session)
        let timeline = Timeline(of: session, in: driver.store, on: stage, since: begin)
        let browser = try HeadlessBrowser.open(
            server.address + "/check-in",
            profile: folder + "/browser",
            environment: driver.invocation.environment
        )
        let playing = driver.invocation.loop.spawn { await follow(session, timeline) }
        let waiting = driver.invocation.loop.spawn {
            try? await driver.invocation.loop.sleep(for: Self.patience)
            playing.cancel()
        }
        let followed = await withTaskCancellationHandler {
            await playing.value
        } onCancel: {
            playing.cancel()
        }
        waiting.cancel()
        browser.close()
        try followed.get()
        guard let native = await shop.native else { throw Self.unfinished }
        try await awaitEnd(of: native)
        stage.write("\n")
        return try await result(of: [session, native], shop)
    }

    private func open(
        _ address: String,
        _ shop: CheckoutShop
    ) async throws(Failure) -> SessionID {
        var urls = PaymentOrderURLs(hosts: [address + "/"], complete: address + "/complete")
        urls.cancel = address + "/cancel"
        urls.payment = address + "/pay?id=demo"
        urls.callback = address + "/callback/" + shop.secret
        var order = PaymentOrder(
            currency: "SEK",
            amount: Self.amount,
            vatAmount: Self.vatAmount,
            description: "Lamp",
            language: .svSE,
            urls: urls
        )
        order.instrument = .swish
        order.payeeInfo = PayeeInfo(payeeID: "sandbox")
        var request = CheckoutRequest(of: order, by: .psp, at: sandbox.baseURL)
        request.reference = "demo-checkout"
        request.consumer = ConsumerTerms(language: "sv-SE", shippingCountries: ["SE"])
        do {
            return try await driver.engine.openCheckout(request, allowsInsecureLoopback: true)
        } catch {
            throw Failure(error)
        }
    }

    /// Shows the events, captures once the order is confirmed, and returns when that is done.
    private func follow(
        _ session: SessionID,
        _ timeline: Timeline
    ) async -> Swift.Result<Void, Failure> {
        var timeline = timeline
        var isCaptured = false
        do {
            for await update in try await driver.engine.updates(of: session) {
                try await timeline.catchUp(to: update.state.sequence)
                if let outcome = update.state.outcome, outcome != .completed { break }
                guard update.state.confirmation != nil, update.isSettled else { continue }
                if isCaptured { return .success(()) }
                isCaptured = true
                var request = NewTransaction(kind: .capture, description: "Shipment")
                request.amount = Self.amount
                request.vatAmount = Self.vatAmount
                try await driver.engine.transact(session, request)
            }
            return .failure(Self.unfinished)
        } catch let failure as Failure {
            return .failure(failure)
        } catch let error as EngineError {
            return .failure(Failure(error))
        } catch {
            return .failure(Failure(.defect, "demo.unexpected", "\(error)"))
        }
    }

    /// Ends the native session of the order.
    private func awaitEnd(of native: SessionID) async throws(Failure) {
        do throws(EngineError) {
            try await driver.engine.refetch(native, by: "shop")
            for await update in try await driver.engine.updates(of: native)
            where update.state.outcome != nil { return }
        } catch {
            throw Failure(error)
        }
    }

    private func result(
        of sessions: [SessionID],
        _ shop: CheckoutShop
    ) async throws(Failure) -> Result {
        var result = Result(
            logs: [],
            checks: [],
            verifications: [],
            callbacks: await shop.callbacks
        )
        for session in sessions {
            let log = try await SessionLog.read(session, from: driver.store)
            var verification = Verification()
            verification.add(log.records, of: session)
            result.checks.append(CheckReport(log, by: driver.engine.decider))
            result.verifications.append(verification)
            result.logs.append(log)
        }
        if let id = result.logs.first?.state.checkout?.order?.id?.pieces(between: "/").last {
            result.ledger = await sandbox.orderLedger(String(id))
        }
        return result
    }

    private static let unfinished = Failure(
        .unavailable,
        "demo.unfinished",
        "the checkout did not finish in time"
    )
}
