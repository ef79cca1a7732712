public import ArgumentParser
public import Workflow

extension Phase: ExpressibleByArgument {}
extension Outcome: ExpressibleByArgument {}
extension Instrument: ExpressibleByArgument {}
