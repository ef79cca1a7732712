internal import EventLog
internal import FoundationEssentials
internal import Glibc
internal import SwedbankPay

/// A publisher's log position in a file of its own, replaced atomically with each step.
///
/// The file is one line with the log position and the hash of the last published record. Earlier
/// builds stored the log position as a number; such a file is read, and replaced with the next
/// step.
///
/// A system lock on a file next to it (`PATH.lock`) excludes other publishers; the lock ends with
/// the process, however that ends. The work runs off the caller's thread.
///
/// - Note: Isolation: any.
public final class FileOutboxPosition: OutboxPosition {
    /// The maximum number of bytes to read: more than the longest log position, a space, a hash and
    /// the end of the line.
    static let bytesLimit = LogCursor.maximumTextLength + 128

    private let path: String
    /// The descriptor of the locked file; `nil` while the position is not claimed.
    private let lock = ThreadLock<CInt?>(nil)

    /// Creates a position in a file; the file is created with the first step.
    public init(path: String) { self.path = path }

    deinit {
        lock.withLock { lock in
            if let lock { close(lock) }
        }
    }

    /// Locks the position and reads it.
    public func claim() async throws(OutboxFailure) -> OutboxMark? {
        try await away { this throws(OutboxFailure) in
            try this.acquireLock()
            do throws(OutboxFailure) {
                return try this.read()
            } catch {
                this.giveLock()
                throw error
            }
        }
    }

    /// Writes the position to a temporary file, syncs it, and renames it over the position file.
    public func advance(to place: OutboxMark) async throws(OutboxFailure) {
        try await away { this throws(OutboxFailure) in
            guard this.lock.withLock({ $0 }) != nil else { throw .inUse }
            try this.write(place)
        }
    }

    /// Unlocks the position.
    public func release() async { giveLock() }

    private func away<Value: Sendable>(
        _ body: @escaping @Sendable (FileOutboxPosition) throws(OutboxFailure) -> Value
    ) async throws(OutboxFailure) -> Value {
        let work = Task.detached { () -> Result<Value, OutboxFailure> in
            do throws(OutboxFailure) {
                return .success(try body(self))
            } catch {
                return .failure(error)
            }
        }
        return try await work.value.get()
    }

    private func acquireLock() throws(OutboxFailure) {
        let descriptor = try opened(path + ".lock", O_RDWR | O_CREAT)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let reason: OutboxFailure = errno == EWOULDBLOCK ? .inUse : failure("locked")
            close(descriptor)
            throw reason
        }
        let earlier = lock.withLock { lock in
            defer { lock = descriptor }
            return lock
        }
        if let earlier { close(earlier) }
    }

    private func giveLock() {
        let descriptor = lock.withLock { lock in
            defer { lock = nil }
            return lock
        }
        if let descriptor { close(descriptor) }
    }

    private func read() throws(OutboxFailure) -> OutboxMark? {
        guard FileFacts(link: path) != nil else { return nil }
        let descriptor = try opened(path, O_RDONLY)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Self.bytesLimit)
        let count = bytes.withUnsafeMutableBytes {
            Glibc.read(descriptor, $0.baseAddress, $0.count)
        }
        guard count >= 0 else { throw failure("read") }
        guard let place = OutboxMark(parsing: Array(bytes[..<count])) else {
            throw .position(reason: "\(path) does not contain a log position")
        }
        return place
    }

    private func write(_ place: OutboxMark) throws(OutboxFailure) {
        let draft = "\(path).draft"
        let descriptor = try opened(draft, O_WRONLY | O_CREAT | O_TRUNC)
        let text = Array((place.text + "\n").utf8)
        let count = text.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        let isWritten = count == text.count && fsync(descriptor) == 0
        let reason = failure("written")
        guard close(descriptor) == 0, isWritten else {
            unlink(draft)
            throw reason
        }
        guard rename(draft, path) == 0 else { throw failure("written") }
        // Losing an unsynced rename only causes a repetition, which the receiver detects by the
        // events' identities.
        DraftFile.syncFolder(of: path)
    }

    private func opened(_ path: String, _ flags: CInt) throws(OutboxFailure) -> CInt {
        do throws(CompanionFile.Refusal) {
            return try CompanionFile.open(path, flags)
        } catch {
            throw .position(reason: "\(path) \(error.words)")
        }
    }

    private func failure(_ what: String) -> OutboxFailure {
        let words = strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
        return .position(reason: "\(path) can't be \(what): \(words)")
    }
}
