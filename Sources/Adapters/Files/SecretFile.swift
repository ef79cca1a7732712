package import EventLog
internal import FoundationEssentials
internal import Glibc
internal import SwedbankPay

/// A file with keys or digests of tokens, which nobody but its owner may read or write.
package struct SecretFile {
    /// The path of the file.
    let path: String
    /// The maximum number of bytes to read; the keys of a store take far fewer.
    var bytesLimit = 4096

    /// The file at a path.
    package init(path: String) { self.path = path }

    /// The file at a path, which may have this many bytes.
    package init(path: String, bytesLimit: Int) {
        (self.path, self.bytesLimit) = (path, bytesLimit)
    }

    /// Distinguishes versions of the file without reading it.
    package struct Mark: Hashable, Sendable {
        var device: UInt
        var number: UInt
        var size: Int
        var changed: [Int]

        fileprivate init(_ status: stat) {
            device = UInt(status.st_dev)
            number = UInt(status.st_ino)
            size = Int(status.st_size)
            changed = [
                status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec,
                status.st_ctim.tv_nsec,
            ]
        }
    }

    /// The mark of the file that exists now; `nil` when there is none.
    package var mark: Mark? {
        var status = stat()
        return stat(path, &status) == 0 ? Mark(status) : nil
    }

    /// Reads the file's text after checking its owner and permissions on the open descriptor.
    ///
    /// - Returns: `nil` when there is no such file.
    package func read() throws(KeyVaultError) -> String? { try readMarked()?.text }

    /// Reads the file's text like ``read()``, together with the mark of the file that it was read
    /// from.
    package func readMarked() throws(KeyVaultError) -> (text: String, mark: Mark)? {
        guard let descriptor = try open() else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw .unavailable(reason: failure("examined"))
        }
        switch FileFacts(descriptor: descriptor)?.distrust(for: .secret) {
        case .owner(let user): throw .foreignOwner(path: path, owner: user)
        case .permissions(let mode): throw .insecurePermissions(path: path, mode: mode)
        case nil: break
        }
        var bytes = [UInt8](repeating: 0, count: bytesLimit)
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw .unavailable(reason: failure("read")) }
            if got == 0 { break }
            count += got
        }
        return (String(decoding: bytes[..<count], as: UTF8.self), Mark(status))
    }

    /// Opens the file; `nil` when there is none.
    private func open() throws(KeyVaultError) -> CInt? {
        do throws(CompanionFile.Refusal) {
            return try CompanionFile.open(path, O_RDONLY, followsOwnLinks: true)
        } catch {
            switch error {
            case .missing: return nil
            case .owner(let user): throw .foreignOwner(path: path, owner: user)
            case .link, .notRegular, .system:
                throw .unavailable(reason: "\(path) \(error.words)")
            }
        }
    }

    /// Creates the file with a text atomically, unless it exists.
    ///
    /// The text is written and synced before the file receives its name, so that a part of it is
    /// never read. When another process creates the file first, that is not an error.
    package func create(with text: String) throws(KeyVaultError) {
        guard try draft(of: text).put() || errno == EEXIST else {
            throw .unavailable(reason: failure("made"))
        }
        DraftFile.syncFolder(of: path)
    }

    /// Changes the file's text atomically, with a lock against concurrent changes.
    ///
    /// - Parameter change: Returns the new text for the current one; `nil` leaves it as it is.
    /// - Throws: ``KeyVaultError/missing(reason:)`` when there is no file,
    ///   ``KeyVaultError/unavailable(reason:)`` when it cannot be written, and what reading it and
    ///   `change` throw.
    package func change(
        _ change: (String) throws(KeyVaultError) -> String?
    ) throws(KeyVaultError) {
        let descriptor = try lock()
        // Closing releases the lock.
        defer { close(descriptor) }
        guard let text = try read() else {
            throw .missing(reason: "there is no file \(path)")
        }
        guard let changed = try change(text) else { return }
        guard try draft(of: changed).replace() else {
            throw .unavailable(reason: failure("written"))
        }
        DraftFile.syncFolder(of: path)
    }

    /// Opens and locks the file that has the name now; while waiting, another process may have
    /// replaced it.
    private func lock() throws(KeyVaultError) -> CInt {
        while true {
            guard let descriptor = try open() else {
                throw .missing(reason: "there is no file \(path)")
            }
            while flock(descriptor, LOCK_EX) != 0 {
                guard errno == EINTR else {
                    let reason = failure("locked")
                    close(descriptor)
                    throw .unavailable(reason: reason)
                }
            }
            if let locked = FileFacts(descriptor: descriptor),
                FileFacts(path: path)?.identity == locked.identity
            {
                return descriptor
            }
            close(descriptor)
        }
    }

    /// A key as a line of the file.
    static func line(_ key: [UInt8]) -> String { Data(key).base64EncodedString() + "\n" }

    /// Writes a text to a draft that only its owner may read.
    private func draft(of text: String) throws(KeyVaultError) -> DraftFile {
        guard let draft = DraftFile(for: path) else {
            throw .unavailable(reason: failure("made"))
        }
        guard draft.write(Array(text.utf8)) else {
            throw .unavailable(reason: failure("written"))
        }
        return draft
    }

    private func failure(_ what: String) -> String {
        "\(path) could not be \(what): \(String(cString: strerror(errno)))"
    }
}
