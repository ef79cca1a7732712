public import EventLog
internal import SwedbankPay

/// What every event store must do: a suite of checks that any test framework can run.
///
/// Give it a way to make an empty place for logs, and run each of ``checks`` in a test of its own:
///
/// ```swift
/// @Test(arguments: EventStoreContract.checks)
/// func `the store keeps the contract`(check: EventStoreContract.Check) async throws {
///     try await check.run(MyStorePlace())
/// }
/// ```
public enum EventStoreContract {
    /// One promise, and how to find out whether a store keeps it.
    public struct Check: Sendable, CustomStringConvertible {
        /// The promise, as a sentence.
        public let name: String
        private let body: @Sendable (any EventStorePlace) async throws -> Void

        init(_ name: String, _ body: @escaping @Sendable (any EventStorePlace) async throws -> Void)
        {
            self.name = name
            self.body = body
        }

        /// The promise.
        public var description: String { name }

        /// Runs the check in an empty place.
        ///
        /// - Throws: ``ContractViolation`` when the promise is not kept; what the store throws unasked.
        public func run(_ place: any EventStorePlace) async throws {
            try await body(place)
        }
    }

    /// All checks.
    public static var checks: [Check] {
        appending + atOnce + addresses + reading + projecting + leasing + lasting
    }
}

/// What every store must do that keeps the progress of consumers, beside what every event store must do.
public enum DeliveryStoreContract {
    /// One promise, and how to find out whether a store keeps it.
    public struct Check: Sendable, CustomStringConvertible {
        /// The promise, as a sentence.
        public let name: String
        private let body: @Sendable (any DeliveryStore, any DeliveryStore) async throws -> Void

        init(
            _ name: String,
            _ body: @escaping @Sendable (any DeliveryStore, any DeliveryStore) async throws -> Void
        ) {
            self.name = name
            self.body = body
        }

        /// The promise.
        public var description: String { name }

        /// Runs the check in an empty place, whose stores must be ones that keep progress.
        ///
        /// - Throws: ``ContractViolation`` when the promise is not kept; what the store throws unasked.
        public func run(_ place: any EventStorePlace) async throws {
            guard let store = try await place.open() as? any DeliveryStore,
                let other = try await place.open() as? any DeliveryStore
            else { throw ContractViolation("the store keeps no progress of consumers") }
            try await body(store, other)
            await store.close()
            await other.close()
        }
    }
}

/// A place for logs that starts empty and can be opened several times, as several processes would.
public protocol EventStorePlace: Sendable {
    /// Opens a handle on the same logs as every other handle of this place.
    func open() async throws -> any EventStore
}

/// A promise that a store did not keep.
public struct ContractViolation: Error, CustomStringConvertible {
    /// What was expected and what was found.
    public let description: String

    init(_ description: String) { self.description = description }
}

extension EventStoreContract {
    /// Fails unless two values are the same.
    static func expect<Value: Equatable>(
        _ found: Value,
        is expected: Value,
        _ what: String
    ) throws(ContractViolation) {
        guard found == expected else {
            throw ContractViolation("\(what): expected \(expected), found \(found)")
        }
    }

    /// Fails unless a condition holds.
    static func expect(_ condition: Bool, _ what: String) throws(ContractViolation) {
        guard condition else { throw ContractViolation(what) }
    }

    /// Fails unless the work fails with an error of that code.
    static func expect(
        _ code: String,
        from what: String,
        _ work: () async throws(EventStoreError) -> Void
    ) async throws(ContractViolation) {
        do throws(EventStoreError) {
            try await work()
        } catch {
            return try expect(error.code, is: code, what)
        }
        throw ContractViolation("\(what): expected \(code), but it succeeded")
    }

    /// Fails unless an append is refused because the stream is at another version.
    static func expectConflict(
        _ append: StreamAppend,
        at actual: Int64,
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
