import Foundation

/// A value behind a lock that the thread sanitizer sees.
///
/// A `Mutex` that has to wait does so in Swift's own library, by atomic words that the sanitizer
/// does not know about: two tasks that add to one number behind a contended `Mutex` are reported,
/// although the sum is right. `NSLock` is a lock of the system, which the sanitizer knows.
final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try lock.withLock { try body(&value) }
    }
}
