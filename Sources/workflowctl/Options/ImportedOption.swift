internal import ArgumentParser
internal import EventLog
internal import SwedbankPay

/// Whether imported sessions count.
struct ImportedOption: ParsableArguments {
    @Flag(help: "Also sessions that were taken in from elsewhere.")
    var imported = false

    /// The origin for which a query asks.
    var origin: SessionOrigin? { imported ? nil : .own }
}
