internal import Adapters
internal import Glibc

/// Checks the permissions of a store's files and the free disk space.
struct FileCheck {
    /// The free space below which the store will soon be unable to write: 64 MiB.
    static let littleRoom: UInt64 = 64 << 20
    /// The free space below which there is a warning: 1 GiB.
    static let someRoom: UInt64 = 1 << 30

    private let path: String

    /// Checks the files of the store at a path.
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
                    Self.finding(file, mode, .bad, "others may write", "chmod 600 \(file)")
                )
            } else if mode & 0o044 != 0 {
                findings.append(
                    Self.finding(
                        file,
                        mode,
                        .warning,
                        "others may read references and problems in",
                        "chmod 600 \(file)"
                    )
                )
            }
        }
        for file in secrets {
            guard let mode = Self.mode(of: file), mode & 0o077 != 0 else { continue }
            findings.append(
                Self.finding(
                    file,
                    mode,
                    .bad,
                    "others may read the secrets in",
                    "chmod 600 \(file); if others had access, have the secrets replaced"
                )
            )
        }
        for file in keys + secrets + (isFile ? [path] : []) {
            guard let facts = FileFacts(path: file), !facts.hasTrustedOwner else { continue }
            findings.append(
                Finding(
                    .permissions,
                    .bad,
                    "\(file) belongs to another user (number \(facts.owner))",
                    advice: "find out why; chown it, or run this as the user who owns it"
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
                    "others may use the key file",
                    "chmod 600 \(file); if others had access, replace the key: 'workflowctl keys rotate'"
                )
            )
        }
        if let mode = Self.mode(of: folder), mode & 0o002 != 0, mode & 0o1000 == 0 {
            findings.append(
                Self.finding(
                    folder,
                    mode,
                    .bad,
                    "anybody may replace files in",
                    "chmod o-w \(folder)"
                )
            )
        }
        guard findings.isEmpty else { return findings }
        let what = isFile ? "reads and writes the store" : "uses the keys that are here"
        return [Finding(.permissions, .good, "only the owner \(what)")]
    }

    /// Checks whether other users can influence the program.
    ///
    /// A file with a secret or a command is ignored if other users can read or write it.
    static func permissions(configuration path: String) -> [Finding] {
        guard let mode = mode(of: path), mode & 0o022 != 0 else { return [] }
        let advice = "chmod go-w \(path)"
        return [finding(path, mode, .bad, "others may write the configuration", advice)]
    }

    /// Returns the finding about the free disk space.
    func room() -> Finding {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else {
            return Finding(.disk, .warning, "the free space cannot be told")
        }
        let free = UInt64(status.f_bavail) * UInt64(status.f_frsize)
        return Self.room(free)
    }

    /// Returns the finding for a number of free bytes.
    static func room(_ free: UInt64) -> Finding {
        let words = "\(words(free)) are free beside the store"
        switch free {
        case ..<littleRoom:
            return Finding(.disk, .bad, words, advice: "make room before payments are refused")
        case ..<someRoom: return Finding(.disk, .warning, words, advice: "make room soon")
        default: return Finding(.disk, .good, words)
        }
    }

    private static func words(_ bytes: UInt64) -> String {
        bytes >= 10 << 30 ? "\(bytes >> 30) GiB" : "\(bytes >> 20) MiB"
    }

    private var folder: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Returns the permissions of a file; `nil` when it does not exist.
    private static func mode(of path: String) -> UInt32? { FileFacts(path: path)?.permissions }

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
