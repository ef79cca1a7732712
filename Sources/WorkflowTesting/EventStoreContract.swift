public import EventLog
internal import SwedbankPay

/// The requirements of every event store, as a suite of checks for any test framework.
///
/// Provide a way to create an empty set of logs, and run each of ``checks`` in a test of its own:
///
/// ```swift
/// @Test(arguments: EventStoreContract.checks)
/// func `the store keeps the contract`(check: EventStoreContract.Check) async throws {
///     try await check.run(MyStorePlace())
/// }
/// ```
public enum EventStoreContract {
    /// A requirement, with the check that a store meets it.
    public struct Check: Sendable, CustomStringConvertible {
        /// The requirement, as a sentence.
        public let name: String
        private let body: @Sendable (any EventStoreFactory) async throws -> Void

        init(
            _ name: String,
            _ body: @escaping @Sendable (any EventStoreFactory) async throws -> Void
        ) {
            self.name = name
            self.body = body
        }

        /// The requirement.
        public var description: String { name }

        /// Runs the check with an empty set of logs.
        ///
        /// - Throws: ``ContractViolation`` when the requirement is not met, and unexpected errors
        ///   of the store.
        public func run(_ place: any EventStoreFactory) async throws {
            try await body(place)
        }
    }

    /// All checks.
    public static var checks: [Check] {
        appending + atOnce + addresses + reading + projecting + leasing + lasting
    }
}

/// The additional requirements of stores that keep the progress of consumers.
public enum DeliveryStoreContract {
    /// A requirement, with the check that a store meets it.
    public struct Check: Sendable, CustomStringConvertible {
        /// The requirement, as a sentence.
        public let name: String
        private let body: @Sendable (any DeliveryStore, any DeliveryStore) async throws -> Void

        init(
            _ name: String,
            _ body: @escaping @Sendable (any DeliveryStore, any DeliveryStore) async throws -> Void
        ) {
            self.name = name
            self.body = body
        }

        /// The requirement.
        public var description: String { name }

        /// Runs the check with an empty set of logs, whose stores must keep the progress of
        /// consumers.
        ///
        /// - Throws: ``ContractViolation`` when the requirement is not met, and unexpected errors
        ///   of the store.
        public func run(_ place: any EventStoreFactory) async throws {
            guard let store = try await place.open() as? any DeliveryStore,
                let other = try await place.open() as? any DeliveryStore
            else { throw ContractViolation("the store keeps no progress of consumers") }
            try await body(store, other)
            await store.close()
            await other.close()
        }
    }
}

/// A set of logs that starts empty and can be opened several times, as by several processes.
public protocol EventStoreFactory: Sendable {
    /// Opens a handle on the same logs as every other handle.
    func open() async throws -> any EventStore
}

/// A requirement that a store did not meet.
public struct ContractViolation: Error, CustomStringConvertible {
    /// The expected and the actual result.
    public let description: String

    init(_ description: String) { self.description = description }
}

extension EventStoreContract {
    /// Throws unless two values are equal.
    static func expect<Value: Equatable>(
        _ found: Value,
        is expected: Value,
        _ what: String
    ) throws(ContractViolation) {
        guard found == expected else {
            throw ContractViolation("\(what): expected \(expected), found \(found)")
        }
    }

    /// Throws unless a condition holds.
    static func expect(_ condition: Bool, _ what: String) throws(ContractViolation) {
        guard condition else { throw ContractViolation(what) }
    }

    /// Throws unless the work fails with an error of that code.
    static func expect(
        _ code: String,
        from what: String,
        _ work: () async throws(EventStoreError) -> Void
    ) async throws(ContractViolation) {
        try expect(try await failure(code, from: what, work).code, is: code, what)
    }

    /// Throws unless the work fails with that error.
    static func expect(
        _ expected: EventStoreError,
        from what: String,
        _ work: () async throws(EventStoreError) -> Void
    ) async throws(ContractViolation) {
        try expect(try await failure(expected.code, from: what, work), is: expected, what)
    }

    /// Returns the error with which the work fails; throws when it succeeds.
    private static func failure(
        _ expected: String,
        from what: String,
        _ work: () async throws(EventStoreError) -> Void
    ) async throws(ContractViolation) -> EventStoreError {
        do throws(EventStoreError) {
            try await work()
        } catch {
            return error
        }
        throw ContractViolation("\(what): expected \(expected), but it succeeded")
    }

    /// Throws unless an append is rejected because the stream has another version.
    static func expectConflict(
        _ append: StreamAppend,
        at actual: SequenceNumber,
        in store: any EventStore,
        _ what: String
    ) async throws(ContractViolation) {
        do throws(EventStoreError) {
            try await store.append(append)
        } catch {
            return try expect(
                error,
                is: .conflict(
                    stream: append.stream,
                    expected: append.expectedVersion,
                    actual: actual
                ),
                what
            )
        }
        throw ContractViolation("\(what): expected a conflict, but it succeeded")
    }
}
