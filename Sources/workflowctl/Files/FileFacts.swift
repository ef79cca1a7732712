// The headers of SQLite declare `stat` as well, and which of the two modules counts as its home depends on what was
// loaded first: this is the one file that asks for it, and it imports both.
internal import CSQLite
internal import Glibc

/// What a file is like.
struct FileFacts: Hashable, Sendable {
    /// Who may do what: the twelve lower bits of its mode.
    let permissions: UInt32
    /// Its size, when it is an ordinary file.
    let size: Int64?

    /// The facts of a path; nothing when there is no such file.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The facts of an open descriptor.
    init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        permissions = UInt32(status.st_mode) & 0o7777
        size = status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
    }
}
