import FoundationEssentials
import Hummingbird

extension SandboxRoutes {
    /// The routes for tests and demonstrations: ledger, faults, and orders finished elsewhere.
    func addControl(to router: Router<SandboxRequestContext>) {
        router.get("sandbox/ledger") { _, _ in
            await respond { () async throws(ProblemDetail) in
                try encoded(await provider.ledger())
            }
        }
        router.get("sandbox/ledger/:id") { _, context in
            let id = context.parameters.get("id") ?? ""
            return await respond { () async throws(ProblemDetail) in
                let page = try await provider.order(id).ledgerPage()
                return try encoded(
                    OrderLedger(order: page, entries: await provider.entries(of: id))
                )
            }
        }
        router.get("sandbox/orders/:id/events") { _, context in
            let id = context.parameters.get("id") ?? ""
            return await respond { () async throws(ProblemDetail) in
                try encoded(try await provider.order(id).clientEvents.events)
            }
        }
        router.get("sandbox/callbacks") { _, _ in
            await respond { () async throws(ProblemDetail) in
                try encoded(await provider.callbacks())
            }
        }
        router.get("sandbox/callbacks/:id") { _, context in
            let id = context.parameters.get("id") ?? ""
            return await respond { () async throws(ProblemDetail) in
                _ = try await provider.order(id)
                return try encoded(await provider.callbacks(of: id))
            }
        }
        router.post("sandbox/faults") { request, _ in
            await respond { () async throws(ProblemDetail) in
                var reader = BodyReader(try await json(of: request))
                let id = reader.string("order")
                let fault = Fault.read(from: &reader, at: "")
                try reader.finish()
                guard let fault else { throw .inputError([]) }
                do throws(SandboxError) {
                    try await provider.install(fault, in: id)
                } catch {
                    throw error == .unknownOrder ? .notFound : .forbidden(error.description)
                }
                return .noContent
            }
        }
        router.post("sandbox/orders/:id/acts") { request, context in
            await respond { () async throws(ProblemDetail) in
                let id = await provider.orderID(context.parameters.get("id") ?? "")
                return try await carryOut(try await json(of: request), on: id)
            }
        }
        router.post("sandbox/orders/:id/outcome") { request, context in
            let query = query(of: request)
            return await respond { () async throws(ProblemDetail) in
                try await provider.finishElsewhere(
                    context.parameters.get("id") ?? "",
                    as: query["as"] ?? "",
                    method: query["method"]
                )
            }
        }
    }

    /// Performs another party's act on an order; its amount has to be in the order's currency.
    private func carryOut(_ body: JSON, on id: String) async throws(ProblemDetail) -> Reply {
        var reader = BodyReader(body)
        let act = Act.read(from: &reader, at: "")
        if let currency = reader.optionalString("currency"),
            try await provider.order(id).request.currency != currency
        {
            reader.refuse("currency", "must be the currency of the order")
        }
        try reader.finish()
        guard let act else { throw .inputError([]) }
        return try await provider.carryOut(act, on: id)
    }

    /// The ledger of one order, as returned by `GET /sandbox/ledger/<order id>`.
    private struct OrderLedger: Encodable {
        let order: LedgerOrder
        let entries: [LedgerEntry]
    }

    private func encoded(_ value: some Encodable) throws(ProblemDetail) -> Reply {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        guard let data = try? encoder.encode(value) else {
            throw ProblemDetail(
                slug: "systemerror",
                status: 500,
                title: "Not encodable",
                detail: "Ledger."
            )
        }
        return Reply(
            status: 200,
            body: .raw(
                String(decoding: data, as: UTF8.self),
                contentType: "application/json; charset=utf-8"
            )
        )
    }
}
