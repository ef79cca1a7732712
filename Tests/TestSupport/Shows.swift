public import Testing

/// What a test shows: rows of tables in the documentation, by their ids, or guarantees.
///
/// `scripts/shown_by.py` reads these traits in the sources.
public struct Shows: TestTrait, SuiteTrait {
    /// The guarantees in `Documentation/reliability.md`.
    public enum Guarantee: Sendable {
        case durableFirst, nothingLost, oneWriter, noDoublePay, replayEqualsLive, settles
        case terminalIsFinal, paidMeansPaid, redactionInvariant, noSecretOutside, boundedEverything
        case moneyToldTrue, authenticLog, feedComplete, payersDontWaitForEachOther
    }
}

extension Trait where Self == Shows {
    /// Shows features in `Documentation/features.md`.
    public static func feature(_: String...) -> Self { Self() }
    /// Shows what protects against threats in `SECURITY.md`.
    public static func threat(_: String...) -> Self { Self() }
    /// Shows what supports duties in `Documentation/compliance.md`.
    public static func duty(_: String...) -> Self { Self() }
    /// Fails when a guarantee is broken.
    public static func guarantee(_: Shows.Guarantee...) -> Self { Self() }
}
