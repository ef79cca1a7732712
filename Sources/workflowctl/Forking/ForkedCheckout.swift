internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// A checkout that is about to continue at a sandbox: creates there what its history already
/// contains.
///
/// The requests are those of the engine, built by the same code; they go only to this machine, with
/// the sandbox's own token and never with one of the original's.
struct ForkedCheckout {
    private let opened: CheckoutOpened
    private let checkout: CheckoutState
    private let root: SessionAddress
    private let keys: SessionKeys
    private let provider: SwedbankPayProvider
    /// The plaintexts of the values sealed for the fork.
    private(set) var secrets = SecretTable()

    /// Creates in a sandbox everything that a checkout's history contains.
    ///
    /// `checkout` is the state at the forked event; `sandbox` is the address of a sandbox, or the
    /// root of its merchant backend. Returns the values for the fork's log, and the plaintexts.
    static func ask(
        for checkout: CheckoutState,
        at sandbox: String,
        _ keys: SessionKeys,
        on loop: UVLoop
    ) async throws(Failure) -> (CheckoutSubstitution, SecretTable) {
        let root: SessionAddress
        do {
            root = try SessionAddress(
                sandbox.hasSuffix("/") ? sandbox : sandbox + "/",
                allowsInsecureLoopback: true
            )
        } catch {
            throw .notLoopback
        }
        var configuration = TransportConfiguration()
        configuration.allowsInsecureLoopback = true
        try Scratch.confine(&configuration, host: root.host)
        let transport = CurlTransport(on: loop, configuration: configuration)
        var options = SwedbankPayOptions()
        options.allowsInsecureLoopback = true
        var asking = ForkedCheckout(
            opened: checkout.opening,
            checkout: checkout,
            root: root,
            keys: keys,
            provider: SwedbankPayProvider(
                transport: transport,
                options: options,
                access: Scratch.access
            )
        )
        let result: Result<CheckoutSubstitution, Failure>
        do throws(Failure) {
            result = .success(try await asking.ask())
        } catch {
            result = .failure(error)
        }
        await transport.shutdown()
        return (try result.get(), asking.secrets)
    }

    private init(
        opened: CheckoutOpened,
        checkout: CheckoutState,
        root: SessionAddress,
        keys: SessionKeys,
        provider: SwedbankPayProvider
    ) {
        (self.opened, self.checkout, self.root) = (opened, checkout, root)
        (self.keys, self.provider) = (keys, provider)
    }

    private mutating func ask() async throws(Failure) -> CheckoutSubstitution {
        var substitution = CheckoutSubstitution(
            root: secrets.seal(root.text, with: keys),
            host: root.host,
            document: secrets.seal(SandboxDocument.text(like: checkout), with: keys),
            payeeReference: opened.payeeReference.map { _ in SandboxDocument.reference() }
        )
        if checkout.endpoints != nil {
            let response = try await perform(.root, "GET", at: root.text, .none)
            guard case .endpoints(let endpoints, _) = response else { throw .noOrder }
            substitution.endpoints = endpoints
        }
        switch checkout.checkIn {
        case .offered, .requested: substitution.checkIn = try await checkIn(substitution)
        case .unwanted, .wanted, .done: break
        }
        guard checkout.order != nil else { return substitution }
        let submission = OrderSubmission(
            document: substitution.document,
            payeeReference: substitution.payeeReference
        )
        let response = try await perform(
            .paymentOrders,
            "POST",
            at: address(substitution.endpoints?.orders),
            .order(submission)
        )
        guard case .order(let order, _) = response, order.id != nil || checkout.order?.id == nil
        else { throw .noOrder }
        substitution.order = order
        return substitution
    }

    private mutating func checkIn(
        _ substitution: CheckoutSubstitution
    ) async throws(Failure) -> Sealed? {
        guard let consumer = opened.consumer else { return nil }
        let response = try await perform(
            .consumers,
            "POST",
            at: address(substitution.endpoints?.consumers),
            .consumer(
                language: consumer.language,
                shippingCountries: consumer.shippingCountries
            )
        )
        guard case .consumer(let view?, _) = response, let script = view.href else {
            throw .noOrder
        }
        return script
    }

    private func address(_ sealed: Sealed?) -> String {
        sealed.flatMap { secrets[$0] } ?? root.text
    }

    private mutating func perform(
        _ rel: Rel,
        _ method: String,
        at address: String,
        _ body: OperationBody
    ) async throws(Failure) -> ProviderResponse.Outcome {
        var client = ClientProfile()
        client.userAgent = opened.userAgent
        let response = await provider.perform(
            ProviderRequest(
                rel: rel,
                method: method,
                address: address,
                body: body,
                culture: nil,
                client: client,
                secrets: secrets,
                keys: keys,
                gateway: GatewayAccess(gateway: opened.gateway, root: root.text)
            )
        )
        secrets.merge(response.secrets)
        switch response.outcome {
        case .failed(_, let code, _):
            throw Failure(
                .unavailable,
                code,
                "the sandbox cannot be reached",
                hint: Self.hint(opened.gateway)
            )
        case .refused(let status, let document, _):
            var words = "the sandbox responded with status \(status)"
            if case .plain(let title)? = document.title { words += ": \(Screen.safe(title))" }
            throw Failure(
                .refused,
                "sandbox.order-refused",
                words,
                hint: Self.hint(opened.gateway)
            )
        default: return response.outcome
        }
    }

    private static func hint(_ gateway: OrderGateway) -> String {
        gateway == .psp
            ? "start one with 'workflowctl sandbox --port 8093' and use its URL"
            : "start one with 'workflowctl sandbox --merchant-backend 8094' and use the backend's URL"
    }
}

extension Failure {
    /// The failure when the sandbox's response does not contain an order.
    fileprivate static let noOrder = Failure(
        .unavailable,
        "sandbox.no-order",
        "the sandbox's response cannot be used to continue a checkout",
        hint: "use the URL that 'workflowctl sandbox' prints"
    )
}
