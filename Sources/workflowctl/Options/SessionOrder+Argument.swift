internal import ArgumentParser
internal import Inspection

extension SessionOrder: ExpressibleByArgument {}
