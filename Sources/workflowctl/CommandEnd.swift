internal import Glibc
internal import Inspection
internal import Synchronization

/// Lets the main thread wait until a command ends or is interrupted.
final class CommandEnd: @unchecked Sendable {
    // Unchecked: a semaphore is a C object that any thread may use; everything else is protected by
    // the mutex.
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

    /// Records that the command has ended.
    func reach(_ status: ExitStatus) {
        state.withLock { $0.status = status }
        sem_post(semaphore)
    }

    /// Records that a signal asks the command to end.
    ///
    /// - Returns: False from the second signal on; the process should then exit at once.
    func interrupt() -> Bool {
        state.withLock {
            $0.interrupts += 1
            return $0.interrupts == 1
        }
    }

    /// Waits for the end of the command.
    func wait() -> ExitStatus {
        while sem_wait(semaphore) != 0, errno == EINTR {}
        return state.withLock { $0.interrupts > 0 ? .interrupted : $0.status ?? .defect }
    }
}
