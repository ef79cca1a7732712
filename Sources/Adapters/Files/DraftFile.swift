internal import Glibc

/// A file in the making, for its owner alone, that gets its name when it is whole.
///
/// Where the file system can do that it has no name until then (`O_TMPFILE`): however the process ends, nothing of it is
/// left. Elsewhere, and for the moment in which it takes another file's place, it stands beside that as
/// `NAME.PID-NUMBER.draft`, locked; such a draft of a process that is gone is removed by the next one that is made there.
package final class DraftFile {
    /// What is written to.
    package let descriptor: CInt
    private let path: String
    private let draft: String
    /// Whether it stands under the name of the draft.
    private var hasDraftName: Bool
    private var isOpen = true

    private static let suffix = ".draft"
    /// How many files of a folder are looked at for drafts that were left behind.
    private static let maximumEntries = 10_000
    /// `O_TMPFILE`, which is declared for _GNU_SOURCE only.
    private static let withoutName: CInt = 0o20000000 | O_DIRECTORY

    /// Begins a file.
    ///
    /// - Parameter path: The name that it will have.
    /// - Parameter mayBeNameless: Whether it may be without a name; tests say no, to see what happens elsewhere.
    /// - Returns: Nothing when it can't be made; `errno` tells why.
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
        // Says that somebody is at work on it, whatever the number of the process means to who looks.
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
    }

    deinit { abandon() }

    /// Syncs the file and gives it its name; what had the name before is replaced.
    ///
    /// - Returns: False when that failed, with nothing left of it; `errno` tells why.
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

    /// Syncs the file and gives it its name, unless there is a file of that name.
    ///
    /// - Returns: False when that failed, with nothing left of it; `errno` is `EEXIST` when another has the name.
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
        // Only by way of /proc can it get a name.
        guard access(own(descriptor), F_OK) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private static func own(_ descriptor: CInt) -> String { "/proc/self/fd/\(descriptor)" }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    }

    // MARK: What others left

    /// Removes the drafts of a file whose makers are gone: killed, or with the machine.
    private static func removeAbandoned(of path: String) {
        let (folder, name) = (folder(of: path), path.split(separator: "/").last.map(String.init))
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

    /// The process that made a draft; nil for any other file.
    private static func maker(of found: String, for name: String) -> pid_t? {
        guard found.hasPrefix(name + "."), found.hasSuffix(suffix),
            found.utf8.count > name.utf8.count + 1 + suffix.utf8.count
        else { return nil }
        let middle = found.dropFirst(name.count + 1).dropLast(suffix.count)
        // Builds before this one wrote the process alone.
        let parts = middle.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ UInt32($0) != nil }) else { return nil }
        return pid_t(parts[0]).flatMap { $0 > 0 ? $0 : nil }
    }

    /// A lock is held by who works on it, though its number may be another process's here, as in a container.
    private static func removeUnlessLocked(_ draft: String) {
        let descriptor = open(draft, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(draft) }
    }
}
