internal import EventLog
internal import Glibc
internal import SwedbankPay

/// The file of a store, before SQLite opens it.
enum SQLiteFile {
    /// Checks that a path leads to an ordinary file, and makes it when wanted, for the owner alone.
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
            return
        }
        let failure = errno
        guard failure == ENOENT, access == .createIfMissing else {
            throw refusal(of: path, failure: failure)
        }
        try make(path)
    }

    /// Makes an empty file under another name and gives it its own, unless somebody else was first.
    ///
    /// SQLite's locks belong to the process and fall when it closes any descriptor of the file, so a file that another
    /// thread may have opened already must not be opened here.
    private static func make(_ path: String) throws(EventStoreError) {
        // mkstemp puts a name that nobody guesses in place of the six letters.
        var name = Array((path + ".XXXXXX").utf8CString)
        // `mkstemp` makes it for the owner alone: mode 0600.
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw refusal(of: path, failure: errno) }
        close(descriptor)
        defer { unlink(name) }
        guard link(name, path) == 0 || errno == EEXIST else {
            throw refusal(of: path, failure: errno)
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
