internal import Adapters
internal import EventLog
internal import HTTPTypes
internal import Inspection
internal import Sandbox
internal import SwedbankPay
internal import Workflow

/// The merchant of the checkout demonstration: serves the pages, and forwards the payer's and the
/// PSP's requests to the engine.
actor CheckoutShop {
    private let engine: PaymentEngine
    private let method: PaymentMethodName
    private var session: SessionID?
    private(set) var native: SessionID?
    private(set) var callbacks = 0
    /// The unpredictable part of the callback's path.
    let secret: String

    /// The time limit of a step.
    static let patience = Duration.seconds(30)

    /// Creates a shop whose payer changes to a method.
    init(engine: PaymentEngine, changingTo method: PaymentMethodName, secret: String) {
        self.engine = engine
        self.method = method
        self.secret = secret
    }

    /// Sets the order that is being paid.
    func serve(_ session: SessionID) { self.session = session }

    /// Responds to a request of the browser or of the PSP.
    func respond(_ request: LocalServer.Request) async -> LocalServer.Reply {
        let target = request.head.path ?? "/"
        let path = String(target.unicodeScalars.prefix { $0 != "?" })
        guard let session else { return LocalServer.Reply(status: .notFound) }
        do {
            switch (request.head.method, path) {
            case (.get, "/check-in"): return try await checkInPage(session)
            case (.post, "/identified"): return try await identified(request.body, session)
            case (.get, "/"): return try await menuPage(session)
            case (.get, "/complete"): return try await left(.completed, session)
            case (.get, "/cancel"): return try await left(.canceled, session)
            case (.post, "/callback/\(secret)"):
                callbacks += 1
                try await engine.callback(session, body: request.body)
                return LocalServer.Reply(status: .ok)
            default: return LocalServer.Reply(status: .notFound)
            }
        } catch {
            return LocalServer.Reply(status: .internalServerError)
        }
    }

    private func checkInPage(_ session: SessionID) async throws -> LocalServer.Reply {
        let action = try await action(.checkIn, of: session)
        var reporting = PageReporting(messageHandler: nil)
        reporting.resultURL = origin(of: action) + "identified"
        let page = try Page.checkIn(
            CheckIn(action),
            reporting: reporting,
            allowsInsecureLoopback: true
        )
        try await engine.report(session, action: action.id, .shown)
        return .html(page.html, page.headers)
    }

    /// Handles the payer's check-in: creates the order, opens it natively, restricts it to another
    /// method, and shows it.
    private func identified(
        _ body: [UInt8],
        _ session: SessionID
    ) async throws -> LocalServer.Reply {
        let action = try await action(.checkIn, of: session)
        guard let profile = CheckIn.profile(in: body) else {
            return LocalServer.Reply(status: .badRequest)
        }
        try await engine.report(
            session,
            action: action.id,
            .checkedIn(consumerProfileRef: profile)
        )
        _ = try await self.action(.showMenu, of: session)
        // The payer first looks at the native methods, and then returns to the PSP's page.
        let native = try await engine.handOver(session, allowsInsecureLoopback: true)
        self.native = native
        for await update in try await engine.updates(of: native) where update.isSettled { break }
        try await engine.handBack(session)
        _ = try await self.action(.showMenu, of: session)
        try await engine.chooseInstrument(session, method)
        for await update in try await engine.updates(of: session)
        where update.state.checkout?.wantedInstrument == nil && update.isSettled { break }
        return .seeOther("/")
    }

    private func menuPage(_ session: SessionID) async throws -> LocalServer.Reply {
        let action = try await action(.showMenu, of: session)
        let page = try Page.menu(
            PaymentMenu(action),
            reporting: PageReporting(messageHandler: nil),
            allowsInsecureLoopback: true
        )
        try await engine.report(session, action: action.id, .shown)
        return .html(page.html, page.headers)
    }

    private func left(
        _ response: ClientReport,
        _ session: SessionID
    ) async throws -> LocalServer.Reply {
        let action = try await action(.showMenu, of: session)
        try await engine.report(session, action: action.id, response)
        return .html("<!doctype html><title>Sandbox shop</title><p>Thank you.</p>")
    }

    /// Returns the open action of a kind, with the values that the client needs in the clear.
    private func action(
        _ kind: ActionView.Kind,
        of session: SessionID
    ) async throws -> ActionView {
        for await update in try await engine.updates(of: session) {
            let view = SessionView(
                update.state,
                by: engine.decider,
                disclosing: .masked,
                actions: .clear(try await engine.secrets(of: session))
            )
            if let action = view.actions.first(where: { $0.kind == kind }) { return action }
            if update.state.outcome != nil { break }
        }
        throw Failure(.defect, "demo.unexpected", "the client received no \(kind.rawValue) action")
    }

    private func origin(of action: ActionView) -> String {
        switch action.content {
        case .checkIn(_, let baseURL): baseURL?.text ?? ""
        case .showMenu(let menu): menu.baseURL?.text ?? ""
        case .launchApp, .load3DSMethod, .show3DS, .authorizeWallet: ""
        }
    }
}
