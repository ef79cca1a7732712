import Synchronization
import WorkflowTesting

@testable import Workflow

/// The reference model of the PSP behind the engine's port: many orders, told apart by their addresses.
final class ModelPSP: PaymentProvider {
    /// What must never be seen outside.
    static let secret = "kept-between-us"

    fileprivate struct Orders {
        var provider = SimulatedProvider()
        var sessions: [Int: SessionID] = [:]
        var requests: [Rel] = []
        var hangsAt: ClosedRange<Int>?
    }
    private let orders = Mutex(Orders())

    /// A PSP that takes what it is asked, also a second start of the same attempt.
    ///
    /// - Parameter requests: The numbers of the requests whose answers never come, from 1.
    init(hangsAt requests: ClosedRange<Int>? = nil) {
        orders.withLock {
            $0.provider.isCareless = true
            $0.hangsAt = requests
        }
    }

    /// The address of an order's session.
    static func address(_ number: Int) -> String {
        "https://api.payex.com/psp/paymentsessions/\(secret)/\(number)"
    }

    /// Every request so far.
    var requests: [Rel] { orders.withLock { $0.requests } }

    /// How many payments were made for each order.
    var payments: [Int] { orders.withLock { $0.provider.orders.values.map(\.payments) } }

    /// From now on it answers everything.
    func recover() { orders.withLock { $0.hangsAt = nil } }

    func perform(_ request: ProviderRequest) async -> ProviderAnswer {
        let outcome: ProviderAnswer.Outcome? = orders.withLock { orders in
            orders.requests.append(request.rel)
            let outcome = orders.answer(request)
            let hangs = orders.hangsAt?.contains(orders.requests.count) ?? false
            return hangs ? nil : outcome
        }
        guard let outcome else {
            // It has taken effect, and nobody will hear of it.
            try? await Task.sleep(for: .seconds(600))
            return ProviderAnswer(
                outcome: .failed(reach: .maybeSent, code: "http.cancelled", isTransient: true),
                secrets: SecretTable(),
                durationMilliseconds: 1
            )
        }
        var secrets = SecretTable()
        let place = request.address.prefix { $0 != "#" }
        Self.collect(outcome) { sealed in
            secrets.insert("\(place)#\(sealed.fingerprint)", for: sealed)
        }
        return ProviderAnswer(outcome: outcome, secrets: secrets, durationMilliseconds: 1)
    }

    /// Finds every sealed value in a value.
    private static func collect(_ value: Any, _ found: (Sealed) -> Void) {
        if let sealed = value as? Sealed { return found(sealed) }
        for child in Mirror(reflecting: value).children { collect(child.value, found) }
    }
}

extension ModelPSP.Orders {
    mutating func answer(_ request: ProviderRequest) -> ProviderAnswer.Outcome {
        let place = request.address.prefix { $0 != "#" }
        let number = place.split(separator: "/").last.flatMap { Int($0) } ?? 0
        let session =
            sessions[number]
            ?? SessionID(at: ManualClock.noon, random: (UInt64(number), UInt64(number)))
        if sessions[number] == nil {
            sessions[number] = session
            provider.create(session, payer: .approves, authentication: .frictionless)
        }
        let call = OperationCall(
            id: EffectID(rawValue: "e-1"),
            rel: request.rel,
            method: request.method,
            href: .sample("any"),
            body: request.body,
            notBefore: nil,
            attempt: nil,
            tryNumber: 1,
            isPoll: false
        )
        return provider.process(call, of: session)
    }
}
