internal import Glibc

/// What a file is like.
package struct FileFacts: Hashable, Sendable {
    /// Which file it is, whatever its name: what tells any two files of a machine apart.
    package struct Identity: Hashable, Sendable {
        private let device: UInt
        /// Its number within its file system, which it keeps when it is renamed or the machine starts anew.
        package let number: UInt64

        fileprivate init(_ status: stat) {
            device = UInt(status.st_dev)
            number = UInt64(status.st_ino)
        }
    }

    /// Which file it is.
    package let identity: Identity
    /// The user who owns it.
    package let owner: UInt32
    /// Who may do what: the twelve lower bits of its mode.
    package let permissions: UInt32
    /// Its size, when it is an ordinary file.
    package let size: Int64?

    /// The facts of a path; nil when there is no such file.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The facts of an open descriptor.
    package init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        identity = Identity(status)
        owner = UInt32(status.st_uid)
        permissions = UInt32(status.st_mode) & 0o7777
        size = status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
    }

    /// What a file is relied upon for.
    package enum Reliance: Sendable {
        /// It decides what this process does: nobody else may change it.
        case instructions
        /// It holds a secret, too: nobody else may do anything with it.
        case secret
    }

    /// Why a file is not to be relied upon.
    package enum Distrust: Hashable, Sendable {
        /// It belongs to somebody else, who can put anything into it.
        case owner(UInt32)
        /// Others may write it (or, of a secret, do anything with it): its mode.
        case permissions(UInt32)
    }

    /// Why this process is not to rely on the file; nil where it may.
    ///
    /// The one place that decides it: for key files, signing keys, configurations and files with tokens.
    package func distrust(for reliance: Reliance) -> Distrust? {
        guard hasTrustedOwner else { return .owner(owner) }
        let isOpen = reliance == .secret ? othersMayUse : othersMayWrite
        return isOpen ? .permissions(permissions) : nil
    }

    /// Whether it belongs to who runs this process, or to root, who can do everything anyway.
    package var hasTrustedOwner: Bool { owner == 0 || owner == UInt32(geteuid()) }
    /// Whether its group or anybody may change it.
    package var othersMayWrite: Bool { permissions & 0o022 != 0 }
    /// Whether its group or anybody may read it.
    package var othersMayRead: Bool { permissions & 0o044 != 0 }
    /// Whether its group or anybody may do anything with it.
    package var othersMayUse: Bool { permissions & 0o077 != 0 }
}
