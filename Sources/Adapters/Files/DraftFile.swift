internal import EventLog
internal import Glibc

/// A file under construction, readable by its owner only, that receives its name once it is
/// complete.
///
/// Where the file system supports it, the file has no name until then (`O_TMPFILE`), so nothing is
/// left behind however the process ends. Otherwise, and for the moment in which it replaces another
/// file, it exists next to the target as `NAME.PID-NUMBER.draft`, locked. A draft left by a process
/// that is gone is removed when the next draft for the same file is created.
package final class DraftFile {
    /// The descriptor to write to.
    package let descriptor: CInt
    private let path: String
    private let draft: String
    /// Whether the file currently exists under the draft's name.
    private var hasDraftName: Bool
    private var isOpen = true

    private static let suffix = ".draft"
    /// The maximum number of directory entries searched for abandoned drafts.
    private static let maximumEntries = 10_000
    /// The value of `O_TMPFILE`, which glibc declares under `_GNU_SOURCE` only.
    private static let withoutName: CInt = 0o20000000 | O_DIRECTORY

    /// Creates a draft, or returns `nil` when the file cannot be created; `errno` then has the
    /// cause.
    ///
    /// - Parameters:
    ///   - path: The name that the file will have.
    ///   - mayBeNameless: Whether `O_TMPFILE` may be used; tests pass `false` to exercise the
    ///     fallback.
    package init?(for path: String, mayBeNameless: Bool = true) {
        Self.removeAbandoned(of: path)
        self.path = path
        draft = "\(path).\(getpid())-\(UInt32.random(in: .min ... .max))\(Self.suffix)"
        if mayBeNameless, let descriptor = Self.openNameless(in: Self.folder(of: path)) {
            (self.descriptor, hasDraftName) = (descriptor, false)
            return
        }
        descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        hasDraftName = descriptor >= 0
        guard descriptor >= 0 else {
            isOpen = false
            return nil
        }
        // Marks the draft as in use, even for a process in another PID namespace.
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
    }

    deinit { abandon() }

    /// Writes all bytes; returns `false` when that fails, and `errno` has the cause.
    func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Syncs the file and gives it its name, replacing any file of that name.
    ///
    /// - Returns: `false` on failure, with the draft removed; `errno` has the cause.
    package func replace() -> Bool {
        put {
            if !hasDraftName, linkNameless(to: path) { return true }
            guard hasDraftName || linkNameless(to: draft) else { return false }
            hasDraftName = true
            guard rename(draft, path) == 0 else { return false }
            hasDraftName = false
            return true
        }
    }

    /// Syncs the file and gives it its name, unless a file of that name exists.
    ///
    /// - Returns: `false` on failure, with the draft removed; `errno` is `EEXIST` when a file of
    ///   that name exists.
    package func put() -> Bool {
        put { hasDraftName ? link(draft, path) == 0 : linkNameless(to: path) }
    }

    private func put(_ give: () -> Bool) -> Bool {
        let isDone = fsync(descriptor) == 0 && give()
        let failure = errno
        abandon()
        errno = failure
        return isDone
    }

    /// Makes the name of a file durable, as far as its directory can be synced.
    static func syncFolder(of path: String) {
        let descriptor = open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }

    private func linkNameless(to name: String) -> Bool {
        linkat(AT_FDCWD, Self.own(descriptor), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0
    }

    private func abandon() {
        guard isOpen else { return }
        isOpen = false
        if hasDraftName { unlink(draft) }
        hasDraftName = false
        close(descriptor)
    }

    private static func openNameless(in folder: String) -> CInt? {
        let descriptor = open(folder, O_WRONLY | withoutName | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        // A nameless file can be linked through /proc only.
        guard access(own(descriptor), F_OK) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private static func own(_ descriptor: CInt) -> String { "/proc/self/fd/\(descriptor)" }

    private static func folder(of path: String) -> String {
        path.unicodeScalars.lastIndex(of: "/").map { String(path.unicodeScalars[...$0]) } ?? "."
    }

    // MARK: Abandoned drafts

    /// Removes the drafts of a file whose processes were killed or ended with the machine.
    private static func removeAbandoned(of path: String) {
        let (folder, name) = (folder(of: path), path.pieces(between: "/").last.map(String.init))
        guard let name, let entries = opendir(folder) else { return }
        defer { closedir(entries) }
        for _ in 0..<maximumEntries {
            guard let entry = readdir(entries) else { return }
            let found = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard let process = maker(of: found, for: name) else { continue }
            guard kill(process, 0) != 0, errno == ESRCH else { continue }
            removeUnlessLocked((folder == "." ? "" : folder) + found)
        }
    }

    /// The process that created a draft; `nil` for any other file.
    private static func maker(of found: String, for name: String) -> pid_t? {
        guard found.hasPrefix(name + "."), found.hasSuffix(suffix),
            found.utf8.count > name.utf8.count + 1 + suffix.utf8.count
        else { return nil }
        let middle = found.unicodeScalars.dropFirst(name.unicodeScalars.count + 1)
            .dropLast(suffix.unicodeScalars.count)
        let parts = String(middle).pieces(between: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ UInt32($0) != nil }) else { return nil }
        return pid_t(parts[0]).flatMap { $0 > 0 ? $0 : nil }
    }

    /// Removes a draft unless it is locked: its owner holds the lock, even where its PID belongs to
    /// another process here, as in a container.
    private static func removeUnlessLocked(_ draft: String) {
        let descriptor = open(draft, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(draft) }
    }
}
