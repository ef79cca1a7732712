internal import Glibc
internal import Inspection
internal import Synchronization

/// Where the main thread waits for a command's end.
final class CommandEnd: @unchecked Sendable {
    // Unchecked: the semaphore is a C object that any thread may use; all else is behind the mutex.
    private let semaphore: UnsafeMutablePointer<sem_t>
    private let state = Mutex<(status: ExitStatus?, interrupts: Int)>((nil, 0))

    init() {
        semaphore = .allocate(capacity: 1)
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    /// The command is over.
    func reach(_ status: ExitStatus) {
        state.withLock { $0.status = status }
        sem_post(semaphore)
    }

    /// A signal asks to end.
    ///
    /// - Returns: False from the second time on: then there is no patience left.
    func interrupt() -> Bool {
        state.withLock {
            $0.interrupts += 1
            return $0.interrupts == 1
        }
    }

    /// Waits for the end.
    func wait() -> ExitStatus {
        while sem_wait(semaphore) != 0, errno == EINTR {}
        return state.withLock { $0.interrupts > 0 ? .interrupted : $0.status ?? .defect }
    }
}
