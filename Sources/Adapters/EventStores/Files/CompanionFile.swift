internal import EventLog
internal import Glibc

/// Opens the files beside a store, and those with its keys, which others may have put there.
///
/// Such a file is never created through a link, opening it never waits for another process, and
/// it has to be a regular file of this process's user or of root.
package enum CompanionFile {
    /// Why a file is not used.
    package enum Refusal: Error, Hashable, Sendable {
        /// There is no such file.
        case missing
        /// Its name is a link, which may lead anywhere.
        case link
        /// It is a folder, a device, a socket or a named pipe.
        case notRegular
        /// It belongs to another user.
        case owner(UInt32)
        /// The system's error number.
        case system(CInt)
    }

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - flags: The access, with `O_CREAT` for a file that may be missing; it is then created
    ///     for its owner only.
    ///   - followsOwnLinks: Whether the path may be a link of a trusted user. Secrets are mounted
    ///     as links in containers.
    /// - Returns: The descriptor.
    /// - Throws: ``Refusal`` when there is no such file, or it is not used.
    package static func open(
        _ path: String,
        _ flags: CInt,
        followsOwnLinks: Bool = false
    ) throws(Refusal) -> CInt {
        var follow = O_NOFOLLOW
        if followsOwnLinks, let link = FileFacts(link: path), link.isLink, link.hasTrustedOwner {
            follow = 0
        }
        let descriptor = Glibc.open(
            path,
            flags | follow | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
            0o600
        )
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: throw .missing
            case ELOOP where follow != 0: throw .link
            // A named pipe without a reader, a socket, a folder.
            case ENXIO, EISDIR, ENODEV: throw .notRegular
            case let failure: throw .system(failure)
            }
        }
        do throws(Refusal) {
            guard let facts = FileFacts(descriptor: descriptor) else { throw .system(errno) }
            try check(facts)
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Checks a file that another library will open, if there is one.
    static func check(_ path: String) throws(Refusal) {
        guard let facts = FileFacts(link: path) else { return }
        guard !facts.isLink else { throw .link }
        try check(facts)
    }

    private static func check(_ facts: FileFacts) throws(Refusal) {
        guard facts.size != nil else { throw .notRegular }
        guard facts.hasTrustedOwner else { throw .owner(facts.owner) }
    }
}

extension CompanionFile.Refusal {
    /// The reason for people, following the path.
    package var words: String {
        switch self {
        case .missing: "does not exist"
        case .link: "is a link, which may lead anywhere"
        case .notRegular: "is not a regular file"
        case .owner(let user): "belongs to another user (uid \(user))"
        case .system(let failure):
            "cannot be opened: "
                + (strerror(failure).map { String(cString: $0) } ?? "error \(failure)")
        }
    }

    /// The error of a store that has to use the file.
    func storeError(_ path: String) -> EventStoreError {
        switch self {
        case .missing: .unavailable(reason: "\(path) \(words)", code: ENOENT)
        case .link, .notRegular, .owner: .untrusted(reason: "\(path) \(words)")
        case .system(EROFS), .system(EACCES), .system(EPERM): .readOnly
        case .system(ENOSPC), .system(EDQUOT): .full
        case .system(let failure): .inputOutput(reason: "\(path) \(words)", code: failure)
        }
    }
}
