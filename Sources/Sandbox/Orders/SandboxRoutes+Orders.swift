import Hummingbird

extension SandboxRoutes {
    /// The routes for the merchant.
    func addOrders(to router: Router<SandboxRequestContext>) {
        router.post("psp/paymentorders") { request, context in
            await create(request, context)
        }
        router.get("psp/paymentorders/:id") { request, context in
            let expand = query(of: request)["$expand"]
            return await merchant(request, context) { () throws(ProblemDetail) in
                .read(expanding: try OrderPart.expanded(by: expand))
            }
        }
        router.get("psp/paymentorders/:id/:part") { request, context in
            await merchant(request, context) { () throws(ProblemDetail) in
                guard let part = OrderPart.named(by: context.parameters.get("part") ?? "") else {
                    throw .notFound
                }
                return .readPart(part)
            }
        }
        router.patch("psp/paymentorders/:id") { request, context in
            let body = await body(of: request)
            return await merchant(request, context, body) { () throws(ProblemDetail) in
                let name = (try? body.get())?.value(at: "paymentorder.operation")?.text
                return .change(MerchantRel.changes.first { $0.wireOperation == name })
            }
        }
        router.post("psp/paymentorders/:id/:part") { request, context in
            let body = await body(of: request)
            return await merchant(request, context, body) { () throws(ProblemDetail) in
                let segment = context.parameters.get("part")
                guard let kind = TransactionKind.allCases.first(where: { $0.segment == segment })
                else { throw .notFound }
                return .transact(kind)
            }
        }
        router.get("psp/scripts/:token") { _, context in
            await respond { () async throws(ProblemDetail) in
                try await provider.script(context.parameters.get("token") ?? "")
            }
        }
        router.get("psp/checkout/:token") { _, context in
            await respond { () async throws(ProblemDetail) in
                try await provider.checkoutPage(context.parameters.get("token") ?? "")
            }
        }
    }

    /// Creates an order, faults included.
    private func create(_ request: Request, _ context: SandboxRequestContext) async -> Response {
        do throws(ProblemDetail) {
            try provider.authorize(request.headers[.authorization])
            let type = request.headers[.contentType] ?? ""
            var order = try SandboxOrder.read(from: await json(of: request), contentType: type)
            order.scenario = await provider.scenario(for: order)
            let parts = try OrderPart.expanded(by: query(of: request)["$expand"])
            guard let fault = await provider.strikeCreation(order) else {
                return try await provider.createOrder(order, expanding: parts).response
            }
            let creation = Provider.OrderRequest(
                order: "",
                merchant: .create(order, expanding: parts)
            )
            return await ended(
                FaultedExchange(
                    provider: provider,
                    request: creation,
                    fault: fault,
                    step: nil,
                    hangLimit: configuration.hangLimit
                ),
                "POST",
                .success(.null),
                context
            )
        } catch {
            return Reply.problem(error).response
        }
    }

    /// The request's body as JSON, or what is wrong with it.
    func body(of request: Request) async -> Result<JSON, ProblemDetail> {
        do throws(ProblemDetail) {
            return .success(try await json(of: request))
        } catch {
            return .failure(error)
        }
    }

    /// Responds to an authorized merchant.
    func merchant(
        _ request: Request,
        _ context: SandboxRequestContext,
        _ work: () async throws(ProblemDetail) -> Reply
    ) async -> Response {
        await respond { () async throws(ProblemDetail) in
            try provider.authorize(request.headers[.authorization])
            return try await work()
        }
    }

    /// Performs a merchant's request on an order, faults included.
    private func merchant(
        _ request: Request,
        _ context: SandboxRequestContext,
        _ body: Result<JSON, ProblemDetail> = .success(.null),
        _ change: () throws(ProblemDetail) -> MerchantRequest
    ) async -> Response {
        do throws(ProblemDetail) {
            try provider.authorize(request.headers[.authorization])
            let order = context.parameters.get("id") ?? ""
            return await exchange(
                Provider.OrderRequest(order: order, merchant: try change()),
                method: request.method.rawValue,
                context,
                body
            )
        } catch {
            return Reply.problem(error).response
        }
    }
}

extension Provider {
    /// The payment menu's script.
    func script(_ token: String) throws(ProblemDetail) -> Reply {
        guard case .script(let id)? = address(of: token) else { throw .notFound }
        return Reply(status: 200, body: .script(try order(id).menuScript), isShared: true)
    }

    /// The PSP's page that shows the menu to a redirected payer.
    func checkoutPage(_ token: String) throws(ProblemDetail) -> Reply {
        guard case .script(let id)? = address(of: token) else { throw .notFound }
        let order = try order(id)
        let function = order.request.version == .v2 ? "paymentMenu" : "checkout"
        return .page(CheckoutPage.html(script: "\(baseURL)/psp/scripts/\(token)", function))
    }
}
