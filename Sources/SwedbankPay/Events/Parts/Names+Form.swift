public import Workflow

extension Actor: NameForm {}
extension CheckoutGeneration: NameForm {}
extension EngineProblemKind: NameForm {}
extension Instrument: NameForm {}
extension MoneyState.Standing: NameForm {}
extension MoneyResolution.Verdict: NameForm {}
extension OrderGateway: NameForm {}
extension OrderStatus: NameForm {}
extension Outcome: NameForm {}
extension PaymentMethodName: NameForm {}
extension PaymentOrderPurpose: NameForm {}
extension ProblemOrigin: NameForm {}
extension Rel: NameForm {}
extension TaskRel: NameForm {}
extension TransactionKind: NameForm {}

extension EffectID: NameForm {
    package static func sample(by sampler: inout FormSampler) -> EffectID {
        EffectID(rawValue: "e-\(Int64.sample(by: &sampler))")
    }
}
