import Synchronization
import WorkflowTesting

@testable import EventLog
@testable import SwedbankPay
@testable import Workflow

/// The reference model of the PSP behind the engine's port: many orders, identified by their
/// addresses.
final class ModelPSP: PaymentProvider {
    /// A value that must never be visible outside.
    static let secret = "kept-between-us"

    fileprivate struct Orders {
        var provider = SimulatedProvider()
        var sessions: [Int: SessionID] = [:]
        var requests: [Rel] = []
        var hangsAt: ClosedRange<Int>?
    }
    private let orders = Mutex(Orders())

    /// Creates a PSP that accepts every request, even a second start of the same attempt.
    ///
    /// - Parameter requests: The numbers, from 1, of the requests whose responses never come.
    init(hangsAt requests: ClosedRange<Int>? = nil) {
        orders.withLock {
            $0.provider.isCareless = true
            $0.hangsAt = requests
        }
    }

    /// Returns the session URL of an order.
    static func address(_ number: Int) -> String {
        "https://api.payex.com/psp/paymentsessions/\(secret)/\(number)"
    }

    /// All requests so far.
    var requests: [Rel] { orders.withLock { $0.requests } }

    /// The number of payments of each order.
    var payments: [Int] { orders.withLock { $0.provider.orders.values.map(\.payments) } }

    /// Makes it respond to every request from now on.
    func recover() { orders.withLock { $0.hangsAt = nil } }

    func perform(_ request: ProviderRequest) async -> ProviderResponse {
        let outcome: ProviderResponse.Outcome? = orders.withLock { orders in
            orders.requests.append(request.rel)
            guard Self.isComplete(request) else {
                return .failed(
                    reach: .notSent,
                    code: "session.secret-missing",
                    isTransient: false
                )
            }
            let outcome = orders.respond(request)
            let hangs = orders.hangsAt?.contains(orders.requests.count) ?? false
            return hangs ? nil : outcome
        }
        guard let outcome else {
            // It has taken effect, but its response never arrives.
            try? await Task.sleep(for: .seconds(600))
            return ProviderResponse(
                outcome: .failed(reach: .maybeSent, code: "http.cancelled", isTransient: true),
                secrets: SecretTable(),
                durationMilliseconds: 1
            )
        }
        var sealing = Sealing(address: request.address, keys: request.keys)
        let sealed = sealing.seal(outcome)
        return ProviderResponse(outcome: sealed, secrets: sealing.secrets, durationMilliseconds: 1)
    }

    /// Returns whether everything that a body sends is available in the clear.
    private static func isComplete(_ request: ProviderRequest) -> Bool {
        switch request.body {
        case .none, .environment, .method, .swishAttempt(msisdn: nil), .walletAttempt,
            .clientFailure, .presentation, .consumer, .order, .orderQuery, .instrument,
            .abortReason, .transaction:
            true
        case .swishAttempt(msisdn: let value?), .cardAttempt(token: let value),
            .authentication(_, notificationURL: let value), .challengeResult(cRes: let value),
            .walletPayload(_, payload: let value):
            request.secrets[value] != nil
        }
    }
}

/// Seals the model's responses with the keys of the requesting session, as an adapter does.
private struct Sealing {
    let address: Substring
    let keys: SessionKeys
    var secrets = SecretTable()
    /// The text before the digits of a fingerprint.
    private static let member = Array(",\"fp\":\"".utf8)

    init(address: String, keys: SessionKeys) {
        self.address = address.prefix { $0 != "#" }
        self.keys = keys
    }

    /// Returns the same outcome; each value is an address below the order's own, which identifies
    /// the order.
    mutating func seal(_ outcome: ProviderResponse.Outcome) -> ProviderResponse.Outcome {
        guard case .snapshot(let snapshot, let status) = outcome else { return outcome }
        var bytes = SnapshotCodec.canonical(snapshot)
        var index = 0
        for value in SealedPlaces.values(in: bytes) {
            while !Self.member.indices.allSatisfy({ bytes[index + $0] == Self.member[$0] }) {
                index += 1
            }
            index += Self.member.count
            let sealed = secrets.seal("\(address)#\(value.fingerprint)", with: keys)
            let digits = sealed.fingerprint.hexadecimalUTF8
            bytes.replaceSubrange(index..<(index + digits.count), with: digits)
        }
        let read = try? CanonicalReader.read(bytes) { reader throws(EventDecodingError) in
            try Snapshot.read(from: &reader)
        }
        guard let sealed = read else {
            preconditionFailure("a snapshot in canonical form reads")
        }
        return .snapshot(sealed, status: status)
    }
}

extension ModelPSP.Orders {
    mutating func respond(_ request: ProviderRequest) -> ProviderResponse.Outcome {
        let place = request.address.prefix { $0 != "#" }
        let number = place.split(separator: "/").last.flatMap { Int($0) } ?? 0
        let session =
            sessions[number]
            ?? SessionID(at: ManualClock.noon, random: (UInt64(number), UInt64(number)))
        if sessions[number] == nil {
            sessions[number] = session
            provider.create(session, payer: .approves, authentication: .frictionless)
        }
        let request = OperationRequest(
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
        return provider.process(request, of: session)
    }
}
