public import ArgumentParser
public import Workflow

extension Phase: ExpressibleByArgument {}
extension Outcome: ExpressibleByArgument {}
extension Instrument: ExpressibleByArgument {}
extension Workflow.Actor: ExpressibleByArgument {}
extension RetryClass: ExpressibleByArgument {}
