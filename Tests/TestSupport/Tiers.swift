internal import Foundation
public import Testing

extension Tag {
    /// Takes long: `make test` leaves it out, `make test-all` runs it.
    ///
    /// A test has it when it takes more than three seconds and another test, which stays in `make
    /// test`, shows the same on a smaller scale.
    @Tag public static var thorough: Self

    /// Runs in `make test`, and again with more cases in `make test-all`.
    @Tag public static var repeatedThoroughly: Self
}

/// Which part of the tests runs.
public enum Tier {
    /// Whether the tests run that need time, each with all its cases.
    public static let isThorough =
        ProcessInfo.processInfo.environment["TESTS_THOROUGH"] != nil
}
