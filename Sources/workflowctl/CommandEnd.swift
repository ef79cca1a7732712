internal import Glibc
internal import Inspection
internal import Synchronization

/// The end of a command, for which the main thread waits.
final class CommandEnd: @unchecked Sendable {
    // Unchecked: the semaphore is a C object that any thread may use; a mutex guards everything
    // else.
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

    /// Records a signal that asks the command to end; returns false from the second one on.
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
