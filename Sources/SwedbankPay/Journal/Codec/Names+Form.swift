package import EventLog
public import Workflow

/// A value that stands in the log as a name: of an open set, or of one that this build knows in full.
package protocol NameForm: CanonicalForm, RawRepresentable where RawValue == String {}

extension NameForm {
    package func write(to writer: inout CanonicalWriter) { writer.string(rawValue) }

    package static func read(from reader: inout CanonicalReader) throws(EventDecodingError) -> Self
    {
        guard let value = Self(rawValue: try reader.string()) else {
            throw .unknownValue("\(Self.self)")
        }
        return value
    }
}

extension TaskKey: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) { writer.digest(digest) }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> TaskKey {
        TaskKey(digest: try reader.digest())
    }
}

extension ActionID: NameForm {}
extension Actor: NameForm {}
extension Canceled.Party: NameForm {}
extension Completed.Evidence: NameForm {}
extension CompletionIndicator: NameForm {}
extension EffectID: NameForm {}
extension EngineProblemKind: NameForm {}
extension Expired.Reason: NameForm {}
extension Failed.Reason: NameForm {}
extension Instrument: NameForm {}
extension MenuOutcome: NameForm {}
extension Money.Standing: NameForm {}
extension MoneyResolution.Verdict: NameForm {}
extension PaymentMethodName: NameForm {}
extension ProblemOrigin: NameForm {}
extension Reach: NameForm {}
extension Rel: NameForm {}
extension ReturnForm: NameForm {}
extension TaskRel: NameForm {}
extension CheckoutGeneration: NameForm {}
extension CheckoutOptions.Redirects: NameForm {}
extension Navigated.Place: NameForm {}
extension OrderGateway: NameForm {}
extension OrderStatus: NameForm {}
extension Outcome: NameForm {}
extension TransactionKind: NameForm {}
extension TransactionResult: NameForm {}
