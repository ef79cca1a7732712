internal import ArgumentParser
internal import EventLog
internal import SwedbankPay

/// Whether imported sessions are included.
struct ImportedOption: ParsableArguments {
    @Flag(help: "Include imported sessions.")
    var imported = false

    /// The condition for a query.
    var origin: SessionOrigin? { imported ? nil : .own }
}
