internal import Glibc

/// Checks who may read and write the files of a store, and how much space is left.
struct FileCheck {
    /// With less space than this a store will soon be unwritable: 64 MiB.
    static let littleRoom: UInt64 = 64 << 20
    /// With less space than this an operator should free some: 1 GiB.
    static let someRoom: UInt64 = 1 << 30

    private let path: String

    /// Creates the checks of the store at a path.
    init(store path: String) { self.path = path }

    /// Returns findings about who may read and write which files.
    ///
    /// `keys` are files that hold keys; `secrets` are files with credentials of the PSP or a
    /// merchant backend. `isFile` says whether the store is a local file; a store on a server has
    /// only its keys here.
    func permissions(keys: [String], secrets: [String], isFile: Bool = true) -> [Finding] {
        var findings: [Finding] = []
        for file in isFile ? [path, path + "-wal", path + "-shm"] : [] {
            guard let mode = Self.mode(of: file) else { continue }
            if mode & 0o022 != 0 {
                findings.append(
                    Self.finding(file, mode, .bad, "others can write", Self.closing(file))
                )
            } else if mode & 0o044 != 0 {
                let words = "others can read references and problems in"
                findings.append(Self.finding(file, mode, .warning, words, Self.closing(file)))
            }
        }
        for file in secrets {
            guard let mode = Self.mode(of: file), mode & 0o077 != 0 else { continue }
            findings.append(
                Self.finding(
                    file,
                    mode,
                    .bad,
                    "others can read the secrets in",
                    Self.closing(file) + "; if others had access, replace the secrets"
                )
            )
        }
        for file in keys + secrets + (isFile ? [path] : []) {
            guard let facts = FileFacts(path: file), !facts.hasTrustedOwner else { continue }
            findings.append(
                Finding(
                    .permissions,
                    .bad,
                    "\(file) is owned by another user (uid \(facts.owner))",
                    advice: "find out why, then chown the file or run this program as its owner"
                )
            )
        }
        for file in keys {
            guard let mode = Self.mode(of: file), mode & 0o077 != 0 else { continue }
            findings.append(
                Self.finding(
                    file,
                    mode,
                    .bad,
                    "others can access the key file",
                    Self.closing(file)
                        + "; if others had access, replace the key with 'workflowctl keys rotate'"
                )
            )
        }
        if let mode = Self.mode(of: folder), mode & 0o002 != 0, mode & 0o1000 == 0 {
            findings.append(
                Self.finding(
                    folder,
                    mode,
                    .bad,
                    "anyone can replace files in",
                    "chmod o-w \(ShellText.word(folder))"
                )
            )
        }
        guard findings.isEmpty else { return findings }
        let what = isFile ? "read and write the store" : "read the keys on this machine"
        return [Finding(.permissions, .good, "only the owner can \(what)")]
    }

    /// Checks whether others can change what the program does.
    ///
    /// A file with a secret or a command that others can read or write is not even used.
    static func permissions(configuration path: String) -> [Finding] {
        guard let mode = mode(of: path), mode & 0o022 != 0 else { return [] }
        let advice = "chmod go-w \(ShellText.word(path))"
        return [finding(path, mode, .bad, "others can write the configuration", advice)]
    }

    /// Checks how much space is left for the store to grow.
    func room() -> Finding {
        guard let free else {
            return Finding(.disk, .warning, "the free space could not be determined")
        }
        return Self.room(free)
    }

    /// How many bytes are free for the store to grow; `nil` when that cannot be determined.
    var free: UInt64? {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
    }

    /// Returns the finding for a number of free bytes.
    static func room(_ free: UInt64) -> Finding {
        let words = "\(words(free)) free for the store"
        switch free {
        case ..<littleRoom:
            return Finding(.disk, .bad, words, advice: "free some space before payments fail")
        case ..<someRoom: return Finding(.disk, .warning, words, advice: "free some space soon")
        default: return Finding(.disk, .good, words)
        }
    }

    private static func words(_ bytes: UInt64) -> String {
        bytes >= 10 << 30 ? "\(bytes >> 30) GiB" : "\(bytes >> 20) MiB"
    }

    private var folder: String {
        guard let slash = path.unicodeScalars.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Returns the permissions of a file; `nil` when there is no such file.
    private static func mode(of path: String) -> UInt32? { FileFacts(path: path)?.permissions }

    /// Returns the command that makes a file accessible to its owner only.
    private static func closing(_ file: String) -> String { "chmod 600 " + ShellText.word(file) }

    private static func finding(
        _ path: String,
        _ mode: UInt32,
        _ grade: Finding.Grade,
        _ words: String,
        _ advice: String
    ) -> Finding {
        Finding(
            .permissions,
            grade,
            "\(words) \(path) (mode \(String(mode, radix: 8)))",
            advice: advice
        )
    }
}
