internal import EventLog
internal import Glibc

/// Prepares the file of a store before SQLite opens it.
enum SQLiteFile {
    /// Checks that a path refers to a regular file, and creates it if requested, readable by the
    /// owner only.
    static func prepare(
        _ path: String,
        access: StoreAccess
    ) throws(EventStoreError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw .unavailable(reason: "no path was given", code: nil)
        }
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw .unavailable(reason: "\(path) is not a file", code: nil)
            }
            try requireTrusted(path)
            return
        }
        let failure = errno
        guard failure == ENOENT, access == .createIfMissing else {
            throw refusal(of: path, failure: failure)
        }
        try make(path)
    }

    /// Whether nobody can change a store: its file is on a read-only medium, and holds everything,
    /// because the process that closed it last moved its write-ahead log there.
    static func isImmutable(_ path: String) -> Bool {
        var medium = statvfs()
        guard statvfs(path, &medium) == 0, medium.f_flag & UInt(ST_RDONLY) != 0 else {
            return false
        }
        return FileFacts(path: path + "-wal")?.size ?? 0 == 0
    }

    /// Refuses a file of another user, whose content could be anything, and whatever is not a file
    /// under the names that SQLite opens beside it: SQLite follows links, and waits for a named
    /// pipe.
    private static func requireTrusted(_ path: String) throws(EventStoreError) {
        if let facts = FileFacts(path: path), !facts.hasTrustedOwner {
            throw CompanionFile.Refusal.owner(facts.owner).storeError(path)
        }
        for name in ["-journal", "-wal", "-shm"].map({ path + $0 }) {
            do throws(CompanionFile.Refusal) { try CompanionFile.check(name) } catch {
                throw error.storeError(name)
            }
        }
    }

    /// Creates an empty file under a temporary name and links it to its own, unless another process
    /// was first.
    ///
    /// SQLite's locks belong to the process and are released when it closes any descriptor of the
    /// file, so a file that another thread may already have opened must not be opened here.
    private static func make(_ path: String) throws(EventStoreError) {
        // mkstemp replaces the six letters with an unpredictable name.
        var name = Array((path + ".XXXXXX").utf8CString)
        // `mkstemp` creates the file for the owner only: mode 0600.
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw refusal(of: path, failure: errno) }
        close(descriptor)
        defer { unlink(name) }
        guard link(name, path) == 0 || errno == EEXIST else {
            throw refusal(of: path, failure: errno)
        }
    }

    /// Why a file cannot be found or created, and what to do.
    private static func refusal(of path: String, failure: Int32) -> EventStoreError {
        switch failure {
        case ENOENT:
            let directory =
                path.unicodeScalars.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
            var status = stat()
            guard stat(directory.isEmpty ? "/" : directory, &status) == 0 else {
                return .unavailable(
                    reason:
                        "the directory \(directory) does not exist; create it or choose another",
                    code: failure
                )
            }
            return .unavailable(
                reason: "there is no file \(path); check the path, or open a session to create it",
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
