internal import Glibc

/// Identity, owner, permissions and size of a file.
package struct FileFacts: Hashable, Sendable {
    /// The identity of a file, independent of its name and unique on one machine.
    package struct Identity: Hashable, Sendable {
        private let device: UInt
        /// The inode number, which stays the same when the file is renamed or the machine restarts.
        package let number: UInt64

        fileprivate init(_ status: stat) {
            device = UInt(status.st_dev)
            number = UInt64(status.st_ino)
        }
    }

    /// The file's identity.
    package let identity: Identity
    /// The ID of the user who owns the file.
    package let owner: UInt32
    /// The permissions: the twelve lower bits of the mode.
    package let permissions: UInt32
    /// The size in bytes of a regular file; otherwise `nil`.
    package let size: Int64?
    /// Whether it is a symbolic link, which only ``init(link:)`` does not follow.
    package let isLink: Bool

    /// Reads the facts of a path; `nil` when there is no such file.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Reads the facts of a path without following it if it is a link; `nil` when there is no such
    /// file.
    package init?(link path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Reads the facts of an open descriptor.
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
        isLink = status.st_mode & S_IFMT == S_IFLNK
    }

    /// How far a process relies on a file.
    package enum Reliance: Sendable {
        /// The file controls what this process does: no other user may change it.
        case instructions
        /// The file also holds a secret: no other user may have any access to it.
        case secret
    }

    /// The reason why a file must not be relied upon.
    package enum Distrust: Hashable, Sendable {
        /// The file belongs to another user, who can write anything to it.
        case owner(UInt32)
        /// Other users may write the file, or have any access to a secret; the value is its
        /// permissions.
        case permissions(UInt32)
    }

    /// Returns why this process must not rely on the file; `nil` when it may.
    ///
    /// Only this function decides that for key files, signing keys, configurations and token files.
    package func distrust(for reliance: Reliance) -> Distrust? {
        guard hasTrustedOwner else { return .owner(owner) }
        let isOpen = reliance == .secret ? othersMayUse : othersMayWrite
        return isOpen ? .permissions(permissions) : nil
    }

    /// Whether the file belongs to the user of this process, or to root, who can change any file
    /// anyway.
    package var hasTrustedOwner: Bool { owner == 0 || owner == UInt32(geteuid()) }
    /// Whether its group or other users may write the file.
    package var othersMayWrite: Bool { permissions & 0o022 != 0 }
    /// Whether its group or other users may read the file.
    package var othersMayRead: Bool { permissions & 0o044 != 0 }
    /// Whether its group or other users have any access to the file.
    package var othersMayUse: Bool { permissions & 0o077 != 0 }
}

extension FileFacts {
    /// Returns whether reading a descriptor comes to an end: it is a file, a pipe or a terminal, no
    /// folder, no device and no file of the kernel; `nil` when that is not known.
    package static func hasEnd(_ descriptor: Int32) -> Bool? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        return switch status.st_mode & S_IFMT {
        case S_IFREG: !isOfKernel(status)
        case S_IFIFO, S_IFSOCK: true
        case S_IFCHR: isatty(descriptor) == 1 || status.st_rdev == nullDevice
        default: false
        }
    }

    /// The number of `/dev/null`, which is a device with an end.
    private static let nullDevice: dev_t = 0x103

    /// Whether a file is one of the kernel's own.
    private static func isOfKernel(_ status: stat) -> Bool {
        // Where nothing is mounted on them, as in a chroot, they are folders like others.
        let root = device(of: "/")
        return ["/proc", "/sys"].contains { folder in
            let device = device(of: folder)
            return device != root && device == status.st_dev
        }
    }

    private static func device(of path: String) -> dev_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_dev : nil
    }
}
