internal import Adapters
internal import EventLog
internal import SwedbankPay

extension PaymentBackend {
    /// Reads an order of the caller, with some of its parts.
    ///
    /// - Note: Source: merchant backend, expand.
    func expand(_ request: BackendRequest, of caller: Caller) async throws -> BackendResponse {
        let (order, names) = try await readable(request, of: caller)
        let response = try await read(order, expanding: names)
        let current = response.operations.isEmpty ? order : try await refresh(order, from: response)
        return .json(response.disclosed(instrumentURL: instrumentURL(of: current)))
    }

    /// Reports whether the payment of an order of the caller created tokens; never which ones.
    ///
    /// - Note: Source: merchant backend, tokens.
    func tokens(_ request: BackendRequest, of caller: Caller) async throws -> BackendResponse {
        let (order, _) = try await readable(request, of: caller)
        let response = try await read(order, expanding: ["paid"])
        let types = Set(
            (response.members["paid"]?.object?["tokens"]?.array ?? []).compactMap { token in
                token.object.flatMap { $0["token"]?.string == nil ? nil : $0["type"]?.string }
            }.map { $0.lowercased() }
        )
        var result: [String: ForeignJSON] = [:]
        for type in ["recurrence", "unscheduled"] where types.contains(type) {
            result[type] = .bool(true)
        }
        return .json(.object(result))
    }

    private func readable(
        _ request: BackendRequest,
        of caller: Caller
    ) async throws -> (order: RegisteredOrder, names: [String]) {
        guard configuration.features.allowExpandFullResource else {
            throw BackendProblem.switchedOff("allowExpandFullResource")
        }
        var reader = MemberReader(try request.object(maximumDepth: configuration.maximumDepth))
        let resource = reader.text("resource")
        if !resource.isEmpty, !OrderID.isOne(resource) {
            reader.refuse("resource", "must be the id of a payment order")
        }
        let names = reader.texts("expand", maximum: Self.expandable.count)
        if !names.allSatisfy(Self.expandable.contains) {
            reader.refuse(
                "expand",
                "must contain names of " + Self.expandable.sorted().joined(separator: ", ")
            )
        }
        try reader.finish()
        return (try await order(.id(resource), of: caller), names)
    }

    private func read(
        _ order: RegisteredOrder,
        expanding names: [String]
    ) async throws -> OrderResponse {
        let response = try await psp.perform(psp.api.read(order.id, expanding: names))
        guard let response, let shown = OrderResponse(response), shown.id == order.id else {
            throw BackendProblem.badGateway(status: 200)
        }
        return shown
    }

    /// The parts of an order that can be requested.
    ///
    /// - Note: Source: merchant backend, expand: names.
    private static let expandable: Set<String> = [
        "orderItems", "urls", "payeeInfo", "payer", "history", "failed", "aborted", "paid",
        "cancelled", "financialTransactions", "failedAttempts", "postPurchaseFailedAttempts",
        "metadata",
    ]
}
