internal import Glibc

/// A value that one thread at a time may touch.
///
/// A plain pthread mutex: the thread sanitizer understands it, the standard library's `Mutex` it does
/// not.
///
/// - Note: Isolation: any thread; the closure must not call back into the same lock.
final class LoopLock<Value>: @unchecked Sendable {
    // Unchecked: `value` is reached through `withLock` only, and `mutex` is meant for any thread.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    /// A lock around a value.
    init(_ value: sending Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs a closure while no other thread touches the value.
    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&value)
    }
}
