internal import Adapters
public import ArgumentParser
public import EventLog
internal import Inspection
public import Service
public import SwedbankPay

extension SequenceNumber: ExpressibleByArgument {
    /// Reads the decimal digits of a sequence number.
    public init?(argument: String) { self.init(argument) }
}
extension Phase: ExpressibleByArgument {}
extension Outcome: ExpressibleByArgument {}
extension Instrument: ExpressibleByArgument {}
extension SwedbankPay.Actor: ExpressibleByArgument {}
extension MoneyState.Standing: ExpressibleByArgument {}
extension RetryClass: ExpressibleByArgument {}
extension CheckoutGeneration: ExpressibleByArgument {}
extension CheckoutOptions.Redirects: ExpressibleByArgument {}
extension Navigated.Place: ExpressibleByArgument {}
extension SessionOrder: ExpressibleByArgument {}
extension Role: ExpressibleByArgument {}
extension TurnName: ExpressibleByArgument {}
extension InstallationCheck: ExpressibleByArgument {}
