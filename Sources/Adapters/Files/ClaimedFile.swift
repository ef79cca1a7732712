internal import Glibc

/// A small file that one process at a time may replace, and that is replaced as a whole.
///
/// A system lock on a file next to it (`PATH.lock`) excludes other processes; the lock ends with
/// the process, however that ends. The work runs off the caller's thread.
///
/// - Note: Isolation: any.
final class ClaimedFile: Sendable {
    /// Why the file is not used.
    enum Refusal: Error, Hashable, Sendable {
        /// Another process has claimed it, or the claim was lost.
        case inUse
        /// It cannot be read or written.
        case unusable(reason: String)
    }

    /// The path of the file.
    let path: String
    /// The maximum number of bytes to read.
    private let bytesLimit: Int
    /// The descriptor of the locked file; `nil` while the file is not claimed.
    private let lock = ThreadLock<CInt?>(nil)

    /// A file, which is created with the first replacement.
    init(path: String, bytesLimit: Int) { (self.path, self.bytesLimit) = (path, bytesLimit) }

    deinit {
        lock.withLock { lock in
            if let lock { close(lock) }
        }
    }

    /// Claims the file, and reads it.
    ///
    /// - Parameter parse: Reads the contents; what it throws ends the claim.
    /// - Returns: What `parse` returns; `nil` when there is no such file.
    /// - Throws: ``Refusal``.
    func claim<Value: Sendable>(
        _ parse: @escaping @Sendable ([UInt8]) throws(Refusal) -> Value
    ) async throws(Refusal) -> Value? {
        try await away { this throws(Refusal) in
            try this.acquireLock()
            do throws(Refusal) {
                return try this.read().map(parse)
            } catch {
                this.giveLock()
                throw error
            }
        }
    }

    /// Replaces the contents, and returns once they are durable.
    func replace(with bytes: [UInt8]) async throws(Refusal) {
        try await away { this throws(Refusal) in
            guard this.lock.withLock({ $0 }) != nil else { throw .inUse }
            try this.write(bytes)
        }
    }

    /// Ends the claim.
    func release() async { giveLock() }

    private func away<Value: Sendable>(
        _ body: @escaping @Sendable (ClaimedFile) throws(Refusal) -> Value
    ) async throws(Refusal) -> Value {
        let work = Task.detached { () -> Result<Value, Refusal> in
            do throws(Refusal) {
                return .success(try body(self))
            } catch {
                return .failure(error)
            }
        }
        return try await work.value.get()
    }

    private func acquireLock() throws(Refusal) {
        let descriptor = try opened(path + ".lock", O_RDWR | O_CREAT)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let reason: Refusal = errno == EWOULDBLOCK ? .inUse : failure("locked")
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

    private func read() throws(Refusal) -> [UInt8]? {
        guard FileFacts(link: path) != nil else { return nil }
        let descriptor = try opened(path, O_RDONLY)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: bytesLimit)
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw failure("read") }
            if got == 0 { break }
            count += got
        }
        return Array(bytes[..<count])
    }

    private func write(_ bytes: [UInt8]) throws(Refusal) {
        let draft = "\(path).draft"
        let descriptor = try opened(draft, O_WRONLY | O_CREAT | O_TRUNC)
        let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        let isWritten = count == bytes.count && fsync(descriptor) == 0
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

    private func opened(_ path: String, _ flags: CInt) throws(Refusal) -> CInt {
        do throws(CompanionFile.Refusal) {
            return try CompanionFile.open(path, flags)
        } catch {
            throw .unusable(reason: "\(path) \(error.words)")
        }
    }

    private func failure(_ what: String) -> Refusal {
        let words = strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
        return .unusable(reason: "\(path) can't be \(what): \(words)")
    }
}
