internal import Glibc

/// A value that one thread at a time may access.
///
/// It uses a lock of the C library, which the thread sanitizer understands, unlike the standard
/// library's `Mutex`: a task that had to wait for one is reported.
///
/// - Note: Isolation: any thread; the closure must not lock the same lock again.
package final class ThreadLock<Value>: @unchecked Sendable {
    // Unchecked: the value is accessed only while the lock is held.
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    /// Creates a lock around a value.
    package init(_ value: sending Value) {
        self.value = value
        lock = .allocate(capacity: 1)
        pthread_mutex_init(lock, nil)
    }

    deinit {
        pthread_mutex_destroy(lock)
        lock.deinitialize(count: 1)
        lock.deallocate()
    }

    /// Runs a closure with exclusive access to the value.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return try body(&value)
    }

    /// Runs a closure with exclusive access once `ready` is true, waiting for
    /// ``ThreadCondition/signal()`` until then.
    package func withLock<Result>(
        waitingOn condition: ThreadCondition,
        until ready: (Value) -> Bool,
        _ body: (inout Value) -> Result
    ) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while !ready(value) { condition.wait(releasing: lock) }
        return body(&value)
    }
}

/// A condition variable of the C library.
package final class ThreadCondition: @unchecked Sendable {
    // Proof of Sendable: the C library's functions on it are thread-safe.
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    /// Creates a condition for which nobody waits.
    package init() {
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deinitialize(count: 1)
        condition.deallocate()
    }

    /// Wakes one waiting thread.
    package func signal() { pthread_cond_signal(condition) }

    /// Wakes all waiting threads.
    package func broadcast() { pthread_cond_broadcast(condition) }

    fileprivate func wait(releasing lock: UnsafeMutablePointer<pthread_mutex_t>) {
        pthread_cond_wait(condition, lock)
    }
}
