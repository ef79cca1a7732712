internal import FoundationEssentials
internal import Glibc
internal import Workflow

/// The file that holds a master key.
struct KeyFile {
    /// How many bytes of the file are looked at; a key has far fewer.
    static let bytesLimit = 4096

    /// Where it is.
    let path: String

    /// Reads the file's text, after checking on the open file who may read it.
    ///
    /// - Returns: Nothing when there is no such file.
    func read() throws(KeyVaultError) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .unavailable(reason: failure("opened"))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw .unavailable(reason: failure("examined"))
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .unavailable(reason: "\(path) is not a regular file")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw .insecurePermissions(path: path, mode: status.st_mode & 0o7777)
        }
        var bytes = [UInt8](repeating: 0, count: Self.bytesLimit)
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw .unavailable(reason: failure("read")) }
            if got == 0 { break }
            count += got
        }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    /// Makes the file with a key, whole or not at all, unless there is one already.
    ///
    /// The key is written and synced under another name first and then linked to its own, so that nobody ever
    /// reads half a key; linking fails when another process was first, which is no error.
    func create(with key: [UInt8]) throws(KeyVaultError) {
        let draft = "\(path).\(getpid())-\(UInt64.random(in: .min ... .max))"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unavailable(reason: failure("made")) }
        defer { unlink(draft) }
        let written = fchmod(descriptor, 0o600) == 0 && write(key, to: descriptor)
        let reason = failure("written")
        guard close(descriptor) == 0, written else { throw .unavailable(reason: reason) }
        guard link(draft, path) == 0 || errno == EEXIST else {
            throw .unavailable(reason: failure("made"))
        }
        syncFolder()
    }

    private func write(_ key: [UInt8], to descriptor: CInt) -> Bool {
        let text = Array((Data(key).base64EncodedString() + "\n").utf8)
        var rest = text[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return fsync(descriptor) == 0
    }

    /// Makes the file's name durable; where a folder can't be synced the key is still there until a power failure.
    private func syncFolder() {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }

    private func failure(_ what: String) -> String {
        "\(path) could not be \(what): \(String(cString: strerror(errno)))"
    }
}
