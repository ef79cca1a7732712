public import ArgumentParser
public import SwedbankPay

extension Phase: ExpressibleByArgument {}
extension Outcome: ExpressibleByArgument {}
extension Instrument: ExpressibleByArgument {}
extension SwedbankPay.Actor: ExpressibleByArgument {}
extension Money.Standing: ExpressibleByArgument {}
extension RetryClass: ExpressibleByArgument {}
extension CheckoutGeneration: ExpressibleByArgument {}
extension CheckoutOptions.Redirects: ExpressibleByArgument {}
extension Navigated.Place: ExpressibleByArgument {}
