public import EventLog
public import SwedbankPay
internal import Workflow

/// An error of a payment service or its payments.
///
/// Later versions may add cases.
@nonexhaustive
public enum PaymentError: Error, Sendable {
    /// The rules of the payment refuse the command; nothing was changed.
    case refused(Rejection)
    /// The service is shutting down, or has shut down; the payment continues when a service is
    /// started again.
    case stopped
    /// The task was canceled; the payment continues.
    case canceled
    /// The keys of the payment were destroyed; it can no longer be driven.
    case erased(SessionID)
    /// The log of the payment can no longer be trusted, or the payment cannot be driven here; the
    /// code has the reason.
    case unusable(SessionID, code: String, reason: String)
    /// The configuration is not valid.
    case misconfigured(reason: String)
    /// Another failure, with the underlying error.
    case failed(any Error, code: String)

    /// The error's code, for example `session.attempt-running`; each has a page in the
    /// documentation.
    public var code: String {
        switch self {
        case .refused(let rejection): rejection.code
        case .stopped: "engine.stopping"
        case .canceled: "payments.canceled"
        case .erased: "engine.erased"
        case .unusable(_, let code, _): code
        case .misconfigured: "payments.misconfigured"
        case .failed(_, let code): code
        }
    }
}

extension PaymentError: CustomStringConvertible {
    /// A description for people, without personal data.
    public var description: String {
        switch self {
        case .refused(let rejection): rejection.description
        case .stopped:
            "the payment service has stopped; the payment goes on when it is started again"
        case .canceled: "the task was canceled; the payment goes on"
        case .erased(let payment): "the keys of payment \(payment) were destroyed"
        case .unusable(_, _, let reason): reason
        case .misconfigured(let reason): reason
        case .failed(let error, _): "\(error)"
        }
    }
}

extension PaymentError {
    /// Creates the error for a failure of the engine.
    init(_ failure: EngineError) {
        self =
            switch failure {
            case .rejected(let rejection): .refused(rejection)
            case .stopping: .stopped
            case .erased(let session): .erased(session)
            case .damaged(let session, _, _), .notAuthentic(let session, _),
                .misfiled(let session), .imported(let session):
                .unusable(session, code: failure.code, reason: failure.description)
            case .unknownSession, .store, .vault, .badAddress, .overloaded:
                .failed(failure, code: failure.code)
            }
    }

    /// Performs a function of the engine, and throws its failure as a ``PaymentError``.
    static func translating<Value>(
        _ body: () async throws(EngineError) -> Value
    ) async throws(PaymentError) -> Value {
        do throws(EngineError) { return try await body() } catch { throw PaymentError(error) }
    }

    /// Performs a function of the store, and throws its failure as a ``PaymentError``.
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
