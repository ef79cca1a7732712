internal import ArgumentParser
internal import EventLog
internal import SwedbankPay

/// Whether imported sessions count.
struct ImportedOption: ParsableArguments {
    @Flag(help: "Include imported sessions.")
    var imported = false

    /// What a query asks for.
    var origin: SessionOrigin? { imported ? nil : .own }
}
