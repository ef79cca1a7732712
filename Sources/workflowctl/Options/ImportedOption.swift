internal import ArgumentParser
internal import EventLog
internal import SwedbankPay

/// Whether imported sessions count.
struct ImportedOption: ParsableArguments {
    @Flag(help: "Also sessions that were taken in from elsewhere.")
    var imported = false

    /// What a query asks for.
    var origin: SessionOrigin? { imported ? nil : .own }
}
