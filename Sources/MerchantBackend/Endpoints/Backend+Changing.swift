internal import Adapters
internal import EventLog
internal import SwedbankPay

extension PaymentBackend {
    /// Changes the instrument of an order of the second generation.
    func setInstrument(
        _ request: BackendRequest,
        name: String,
        of caller: Caller
    ) async throws -> BackendResponse {
        let order = try await order(.name(name), of: caller)
        guard let link = order.link(Self.secondInstrumentRel) else {
            throw BackendProblem.notFound
        }
        var reader = MemberReader(try request.object(maximumDepth: configuration.maximumDepth))
        let change = try OrderChange(&reader, allowing: [.setInstrument])
        return try await perform(change, over: link, on: order)
    }

    /// Changes the instrument of an order, or aborts it.
    ///
    /// The address that the caller names identifies the order, which must be the caller's own. The
    /// request goes to the order's own link, as received from the PSP.
    ///
    /// - Note: Source: merchant backend, instrument change and abort.
    func patch(_ request: BackendRequest, of caller: Caller) async throws -> BackendResponse {
        guard configuration.features.allowPatchResource else {
            throw BackendProblem.switchedOff("allowPatchResource")
        }
        var reader = MemberReader(try request.object(maximumDepth: configuration.maximumDepth))
        let href = reader.text("href")
        let change = try OrderChange(&reader, allowing: [.setInstrument, .abort])
        let order = try await order(.href(href), of: caller)
        guard
            let link = order.links.first(where: {
                change.kind.rels.contains($0.rel) && $0.href == href
            })
        else { throw BackendProblem.notFound }
        return try await perform(change, over: link, on: order)
    }

    /// The caller's own order with a key.
    ///
    /// - Throws: 404 for an unknown order and for one of another caller.
    func order(_ key: OrderKey, of caller: Caller) async throws -> RegisteredOrder {
        guard let order = try await register.order(key), order.owner == caller.id else {
            throw BackendProblem.notFound
        }
        return order
    }

    /// Stores the operations that an order offers now.
    func refresh(
        _ order: RegisteredOrder,
        from response: OrderResponse
    ) async throws -> RegisteredOrder {
        var order = order
        order.links = callable(response.operations)
        try await register.keep(order)
        return order
    }

    private func perform(
        _ change: OrderChange,
        over link: RegisteredOrder.Link,
        on order: RegisteredOrder
    ) async throws -> BackendResponse {
        let response = try await psp.follow(
            link,
            PaymentOrderAPI.change(Rel(rawValue: link.rel), at: link.href, change.json)
        )
        var changed = response.flatMap { OrderResponse($0) }
        if changed == nil || changed?.operations.isEmpty == true && change.kind == .setInstrument {
            // The change was made, but the response does not show what can be done next.
            changed = try await psp.perform(psp.api.read(order.id)).flatMap { OrderResponse($0) }
        }
        guard let changed, changed.id == order.id else {
            throw BackendProblem.badGateway(status: 200)
        }
        let current = try await refresh(order, from: changed)
        return .json(changed.disclosed(instrumentURL: instrumentURL(of: current)))
    }
}

/// A caller's change to an order.
struct OrderChange {
    /// The kinds of changes, named as on the wire.
    enum Kind: String {
        case setInstrument = "SetInstrument"
        case abort = "Abort"

        /// The operations that make the change, with the names of both generations.
        var rels: Set<String> {
            switch self {
            case .setInstrument: ["set-instrument", "update-paymentorder-setinstrument"]
            case .abort: ["abort", "update-paymentorder-abort"]
            }
        }
    }

    let kind: Kind
    /// The body for the PSP.
    let json: ForeignJSON

    /// Reads the change.
    init(
        _ reader: inout MemberReader,
        allowing kinds: [Kind]
    ) throws(BackendProblem) {
        let name = reader.members["paymentOrder"] == nil ? "paymentorder" : "paymentOrder"
        var order = MemberReader(reader.object(name), path: name + ".")
        try reader.finish()
        let word = order.text("operation")
        guard let kind = kinds.first(where: { $0.rawValue == word }) else {
            order.refuse(
                "operation",
                "must be " + kinds.map(\.rawValue).joined(separator: " or ")
            )
            throw .badRequest(Array(order.problems.suffix(1)))
        }
        self.kind = kind
        switch kind {
        case .setInstrument:
            json = [
                "operation": .string(word),
                "instrument": .string(order.text("instrument", maximum: 64)),
            ]
        case .abort:
            json = [
                "operation": .string(word),
                "abortReason": .string(order.text("abortReason", maximum: 128)),
            ]
        }
        try order.finish()
    }
}
