internal import Foundation

/// A value that several threads use in turn.
package final class SharedValue<Value>: @unchecked Sendable {
    // Unchecked: the value is accessed only with the lock held.
    private let lock = NSLock()
    private var value: Value

    package init(_ value: sending Value) { self.value = value }

    /// Uses the value exclusively.
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
