internal import CSQLite
internal import EventLog
internal import Glibc
internal import UVTransport

/// Leases on sessions' effects: a lease is a lock on one byte of a file beside the database.
///
/// The lock belongs to the open file description of this store, so two stores of one process
/// exclude each other, and the kernel releases it when the process ends, however it ends: no lease
/// has to expire, and no clock is trusted. The byte's offset derives from the session's identity,
/// so a session can be leased before its first event. The file stays empty and is never deleted
/// here.
///
/// If someone deletes the file or replaces it, the next store locks the new one. So every check of
/// a lease compares the locked file with the file that has the name; when they differ, all leases
/// are lost.
///
/// The kernel searches the locks of the file linearly: acquiring a lease takes microseconds while a
/// thousand are held, and most of a millisecond while twenty thousand are. Hold leases for active
/// sessions, not for parked ones.
///
/// - Note: Isolation: any thread; the calls never wait.
/// - Note: Source: fcntl(2), open file description locks.
final class SQLiteLeases: Sendable {
    private struct Table {
        var descriptor: Int32?
        var held: Set<SessionID> = []
        var isClosed = false
    }

    private let table = ThreadLock(Table())
    private let path: String

    /// The maximum number of times that the file is reopened while other processes replace it.
    private static let maximumOpenings = 8

    /// Creates the leases of the database at a resolved path.
    init(database path: String) {
        self.path = path + "-leases"
    }

    deinit { close() }

    /// Acquires a lease; succeeds when it is held already.
    ///
    /// - Returns: `false` when another store holds it.
    func acquire(_ session: SessionID) throws(EventStoreError) -> Bool {
        try table.withLock { table throws(EventStoreError) in
            guard !table.isClosed else { throw .closed }
            for _ in 0..<Self.maximumOpenings {
                leaveReplacedFile(&table)
                if table.held.contains(session) { return true }
                let descriptor = try openFile(&table)
                guard csqlite_lock_byte(descriptor, Int16(F_WRLCK), Self.offset(of: session)) == 0
                else {
                    let failure = errno
                    if failure == EAGAIN || failure == EACCES { return false }
                    throw .inputOutput(
                        reason: "locking a lease: \(Self.words(failure))",
                        code: failure
                    )
                }
                // The name may have been given to another file between opening and locking.
                guard hasName(descriptor) else { continue }
                table.held.insert(session)
                return true
            }
            throw .unavailable(reason: "\(path) is being replaced repeatedly", code: nil)
        }
    }

    /// Whether this store holds a lease: a lock on the file that has the name now.
    func isHeld(_ session: SessionID) -> Bool {
        table.withLock { table in
            leaveReplacedFile(&table)
            return table.held.contains(session)
        }
    }

    /// Releases a lease; has no effect when it is not held.
    func release(_ session: SessionID) {
        table.withLock { table in
            guard table.held.remove(session) != nil, let descriptor = table.descriptor else {
                return
            }
            // Unlocking a byte that this description has locked fails only for lack of memory; then
            // the lease lasts until the store is closed.
            _ = csqlite_lock_byte(descriptor, Int16(F_UNLCK), Self.offset(of: session))
        }
    }

    /// Releases all leases.
    func close() {
        table.withLock { table in
            table.isClosed = true
            table.held = []
            if let descriptor = table.descriptor { Glibc.close(descriptor) }
            table.descriptor = nil
        }
    }

    /// Closes a file that has lost its name, and drops all leases with it.
    private func leaveReplacedFile(_ table: inout Table) {
        guard let descriptor = table.descriptor, !hasName(descriptor) else { return }
        table.held = []
        table.descriptor = nil
        Glibc.close(descriptor)
    }

    private func hasName(_ descriptor: Int32) -> Bool {
        guard let locked = FileFacts(descriptor: descriptor) else { return false }
        return FileFacts(path: path)?.identity == locked.identity
    }

    private func openFile(_ table: inout Table) throws(EventStoreError) -> Int32 {
        if let descriptor = table.descriptor { return descriptor }
        let descriptor: Int32
        do throws(CompanionFile.Refusal) {
            descriptor = try CompanionFile.open(path, O_RDWR | O_CREAT)
        } catch {
            throw error.storeError(path)
        }
        table.descriptor = descriptor
        return descriptor
    }

    /// The byte of a session: its identity mixed into 62 bits.
    ///
    /// Two sessions have different bytes for all practical purposes. Every build must use the same
    /// function.
    static func offset(of session: SessionID) -> off_t {
        var mixed = session.high &* 0x9E37_79B9_7F4A_7C15 ^ session.low
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return off_t(truncatingIfNeeded: mixed >> 2)
    }

    private static func words(_ failure: Int32) -> String {
        strerror(failure).map { String(cString: $0) } ?? "error \(failure)"
    }
}
