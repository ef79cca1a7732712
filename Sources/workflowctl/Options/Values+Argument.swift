public import ArgumentParser
public import Workflow

extension Phase: ExpressibleByArgument {}
extension Outcome: ExpressibleByArgument {}
extension Instrument: ExpressibleByArgument {}
extension Workflow.Actor: ExpressibleByArgument {}
extension RetryClass: ExpressibleByArgument {}
extension CheckoutGeneration: ExpressibleByArgument {}
extension CheckoutOptions.Redirects: ExpressibleByArgument {}
extension Navigated.Place: ExpressibleByArgument {}
