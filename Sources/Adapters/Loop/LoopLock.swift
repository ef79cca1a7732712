internal import Glibc

/// A value that one thread at a time may access.
///
/// It uses a pthread mutex, which the thread sanitizer understands, unlike the standard library's
/// `Mutex`.
///
/// - Note: Isolation: any thread; the closure must not lock the same lock again.
final class LoopLock<Value>: @unchecked Sendable {
    // Unchecked: `value` is accessed through `withLock` only, and `mutex` may be used on any
    // thread.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    /// Creates a lock around a value.
    init(_ value: sending Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs a closure with exclusive access to the value.
    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&value)
    }
}
