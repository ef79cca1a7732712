import Adapters
import EventLog
import Foundation
import Inspection
import SwedbankPay
import Workflow

/// Completes one job through the engine's public API, and records what was acknowledged.
///
/// It keeps no state that is not also in the store, so a host that was killed continues where it
/// was.
struct Player: Sendable {
    let job: Job
    let service: Service
    let acknowledgements: Acknowledgements
    /// Whether this host opens the session, and does not only drive it.
    let opens: Bool
    /// Whether the client connects, does one step and disconnects for a while.
    let onlyVisits: Bool
    let sabotage: Sabotage?

    /// The number of concurrent jobs.
    static let atOnce = 48
    /// The pause after a failure.
    private static let pause = Duration.milliseconds(200)

    private var engine: PaymentEngine { service.engine }

    /// Continues until the job is done.
    func run(from known: SessionID?) async {
        var session = known
        while true {
            do {
                if session == nil { session = try await findOrOpen() }
                if let session, try await play(session) { return }
            } catch let error as EngineError {
                acknowledgements.record(failure: error.code, reference: job.reference)
            } catch let error as EventStoreError {
                acknowledgements.record(failure: error.code, reference: job.reference)
            } catch {
                acknowledgements.record(failure: "\(type(of: error))", reference: job.reference)
            }
            try? await Task.sleep(for: Self.pause)
        }
    }

    /// Returns the session of the job; `nil` while another host has yet to open it.
    private func findOrOpen() async throws -> SessionID? {
        // Half of the hosts' sessions rely on the engine to recognize a known address.
        if job.kind == .checkout || job.number % 2 == 0 || !opens {
            let query = SessionQuery(reference: job.reference)
            if let row = try await service.store.sessions(matching: query).first {
                acknowledgements.record(row.session, reference: job.reference)
                return row.session
            }
        }
        guard opens else { return nil }
        let session: SessionID
        if let document = job.document {
            let order = try PaymentOrderDocument.read(document)
            var request = CheckoutRequest(of: order, by: .psp, at: job.provider)
            request.reference = job.reference
            session = try await engine.openCheckout(request, allowsInsecureLoopback: true)
        } else {
            session = try await engine.open(
                job.url ?? "",
                reference: job.reference,
                preferences: job.kind == .cardByItself ? [.card(rank: 1)] : [],
                allowsInsecureLoopback: true
            )
        }
        acknowledgements.record(session, reference: job.reference)
        return session
    }

    /// Follows the session and plays the payer; returns whether the job is done.
    private func play(_ session: SessionID) async throws -> Bool {
        var answered: Set<ActionID> = []
        for await update in try await engine.updates(of: session) {
            acknowledgements.record(update.state)
            for event in update.events { acknowledgements.record(event) }
            if let failure = update.storeFailure { throw failure }
            let state = update.state
            if isOver(state), update.isSettled { return true }
            do {
                let open = state.actions.first { $0.isOpen && !answered.contains($0.id) }
                if state.outcome == nil, let open {
                    answered.insert(open.id)
                    try await respond(open.id, in: state)
                } else if update.isSettled, state.actions.allSatisfy({ !$0.isOpen }) {
                    try await move(in: state)
                }
            } catch EngineError.rejected {
                // Another client was faster: the next update has the session's state.
            } catch let error as Payer.Unexpected {
                // No response at the issuer or in the app, for example because the payer was there
                // before the store lost its end: the client requests the payment's state.
                acknowledgements.record(try await engine.refetch(session))
                throw error
            }
            if onlyVisits { return false }
        }
        return false
    }

    private func isOver(_ state: SessionState) -> Bool {
        guard let outcome = state.outcome else { return false }
        guard let captures = job.captures, outcome == .completed else { return true }
        let transactions = state.checkout?.transactions ?? []
        return transactions.count >= captures.count && transactions.allSatisfy { $0.result != nil }
    }

    /// Performs an action as the payer, and reports it as the client.
    private func respond(_ action: ActionID, in state: SessionState) async throws {
        let secrets = try await engine.secrets(of: state.session)
        let view = SessionView(state, by: engine.decider, disclosing: .clear(secrets))
        guard let shown = view.actions.first(where: { $0.id == action }) else { return }
        let order = state.checkout?.order?.id?.split(separator: "/").last.map(String.init)
        let payer = Payer(transport: service.payer, job: job)
        let (responses, returnURL) = try await payer.perform(shown, checkoutOrder: order)
        for response in responses {
            acknowledgements.record(
                try await engine.report(state.session, action: action, response)
            )
        }
        if let returnURL {
            acknowledgements.record(try await engine.returned(state.session, with: returnURL))
        }
    }

    /// Performs the next step of the payer or the merchant in a session that waits for it.
    private func move(in state: SessionState) async throws {
        let session = state.session
        if state.outcome != nil {
            let count = state.checkout?.transactions.count ?? 0
            guard let captures = job.captures, captures.indices.contains(count) else { return }
            var transaction = NewTransaction(
                kind: .capture,
                amount: Amount(captures[count]),
                vatAmount: Amount(captures[count] / 5),
                description: "Part \(count + 1)"
            )
            transaction.payeeReference = "C\(job.reference.filter { $0 != "-" })P\(count + 1)"
            return acknowledgements.record(try await engine.transact(session, transaction))
        }
        if state.problem?.problem.isRetryable == true, state.problem?.problem.kind != nil {
            return acknowledgements.record(try await engine.retry(session))
        }
        if let checkout = state.checkout {
            // An order that could not be created, for example after too many lost responses, is
            // given up.
            guard checkout.order == nil, state.problem != nil else { return }
            return acknowledgements.record(try await engine.abort(session))
        }
        guard state.payment?.attempt == nil, !state.offers.isEmpty else { return }
        if job.kind == .abort || state.attemptCount >= Self.patience {
            return acknowledgements.record(try await engine.abort(session))
        }
        if job.kind == .menu {
            return acknowledgements.record(try await engine.menu(session))
        }
        if sabotage == .acknowledgeEarly {
            acknowledgements.claim(
                session,
                sequence: state.sequence + 1,
                type: "attemptStarted"
            )
            exit(9)
        }
        acknowledgements.record(try await engine.attempt(session, with: choice(state)))
    }

    /// The number of attempts after which the payer gives up.
    private static let patience = 8

    private func choice(_ state: SessionState) -> AttemptRequest {
        let elsewhere = AttemptRequest.swish(msisdn: MSISDN("+46739000001"))
        switch job.kind {
        case .swishHere: return .swish(msisdn: nil)
        case .swishThere: return elsewhere
        case .declinedThenSwish: return state.attemptCount == 0 ? .card(rank: 1) : elsewhere
        case .newCard: return .newCard(showsConsent: true)
        case .applePay: return .applePay(merchantIdentifier: "merchant.example.shop")
        case .googlePay: return .googlePay
        case .card, .cardByItself, .menu, .abort, .checkout: return .card(rank: 1)
        }
    }
}
