public import EventLog
public import SwedbankPay
internal import Workflow

/// What can go wrong with a payment service and its payments.
///
/// Later versions may have more cases.
@nonexhaustive
public enum PaymentError: Error, Sendable {
    /// The rules of the payment refuse; nothing was changed.
    case refused(Rejection)
    /// The service is shutting down, or has shut down; the payment goes on when a service is
    /// started again.
    case stopped
    /// The task was canceled; the payment goes on.
    case canceled
    /// The keys of the payment were destroyed: it can't be driven any more.
    case erased(SessionID)
    /// The log of the payment can't be relied upon, or can't be driven here; the code says why.
    case lost(SessionID, code: String, reason: String)
    /// The configuration can't be used like this.
    case misconfigured(reason: String)
    /// Something else failed; the error is of the part that failed.
    case failed(any Error, code: String)

    /// The error's code, for example `session.attempt-running`; each has a page in the
    /// documentation.
    public var code: String {
        switch self {
        case .refused(let rejection): rejection.code
        case .stopped: "engine.stopping"
        case .canceled: "payments.canceled"
        case .erased: "engine.erased"
        case .lost(_, let code, _): code
        case .misconfigured: "payments.misconfigured"
        case .failed(_, let code): code
        }
    }
}

extension PaymentError: CustomStringConvertible {
    /// What went wrong, in words, without personal data.
    public var description: String {
        switch self {
        case .refused(let rejection): rejection.description
        case .stopped:
            "the payment service has stopped; the payment goes on when it is started again"
        case .canceled: "the task was canceled; the payment goes on"
        case .erased(let payment): "the keys of payment \(payment) were destroyed"
        case .lost(_, _, let reason): reason
        case .misconfigured(let reason): reason
        case .failed(let error, _): "\(error)"
        }
    }
}

extension PaymentError {
    /// A failure of the engine, in the words of this module.
    init(_ failure: EngineError) {
        self =
            switch failure {
            case .rejected(let rejection): .refused(rejection)
            case .stopping: .stopped
            case .erased(let session): .erased(session)
            case .damaged(let session, _, _), .notAuthentic(let session, _),
                .imported(let session):
                .lost(session, code: failure.code, reason: failure.description)
            case .unknownSession, .store, .vault, .badAddress, .overloaded:
                .failed(failure, code: failure.code)
            }
    }

    /// Runs what the engine is asked, and throws its failure in the words of this module.
    static func translating<Value>(
        _ body: () async throws(EngineError) -> Value
    ) async throws(PaymentError) -> Value {
        do throws(EngineError) { return try await body() } catch { throw PaymentError(error) }
    }

    /// The same for a store.
    static func translatingStore<Value>(
        _ body: () async throws(EventStoreError) -> Value
    ) async throws(PaymentError) -> Value {
        do throws(EventStoreError) {
            return try await body()
        } catch {
            throw .failed(error, code: error.code)
        }
    }
}
