internal import Glibc
internal import Workflow

/// The file of a store, before SQLite opens it.
enum SQLiteFile {
    /// Held while a file is looked for and made.
    ///
    /// SQLite's locks on a file belong to the process: closing a descriptor that made the file would drop the locks
    /// of a connection that another thread opened meanwhile.
    private static let creation = ThreadLock(())

    /// Checks that a path leads to an ordinary file, and makes it when wanted, for the owner alone.
    static func prepare(
        _ path: String,
        access: SQLiteOptions.Access
    ) throws(EventStoreError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw .unavailable(reason: "no path was given", code: nil)
        }
        try creation.withLock { _ throws(EventStoreError) in
            var status = stat()
            if stat(path, &status) == 0 {
                guard status.st_mode & S_IFMT == S_IFREG else {
                    throw .unavailable(reason: "\(path) is not a file", code: nil)
                }
                return
            }
            let failure = errno
            guard failure == ENOENT, access == .createIfMissing else {
                throw refusal(of: path, failure: failure)
            }
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                if errno == EEXIST { return }
                throw refusal(of: path, failure: errno)
            }
            close(descriptor)
        }
    }

    /// Why a file can't be found or made, and what to do.
    private static func refusal(of path: String, failure: Int32) -> EventStoreError {
        switch failure {
        case ENOENT:
            let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
            var status = stat()
            guard stat(directory.isEmpty ? "/" : directory, &status) == 0 else {
                return .unavailable(
                    reason: "the directory \(directory) does not exist; make it or choose another",
                    code: failure
                )
            }
            return .unavailable(
                reason: "there is no file \(path); check the path, or open a session to make it",
                code: failure
            )
        case ENOSPC, EDQUOT:
            return .full
        case EROFS:
            return .readOnly
        default:
            let words = strerror(failure).map { String(cString: $0) } ?? "error \(failure)"
            return .unavailable(reason: "\(path): \(words)", code: failure)
        }
    }
}
