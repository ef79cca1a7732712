internal import EventLog
internal import Glibc

/// The newest record that a store is known to have.
struct LogMark: Hashable, Sendable {
    var stream: SessionID
    var sequence: SequenceNumber
    var hash: Digest256
}

/// The lineage of a store, recorded outside of it: its identity, and a record that it certainly
/// has.
///
/// It is written after the record is durable, so it is never ahead of an intact store. The file is
/// owner-only (mode 0600) and contains one line of JSON, padded with spaces to a fixed length, so
/// that it can be overwritten in place in one piece.
struct StoreMemory: Hashable, Sendable {
    var identity: StoreIdentity
    /// The inode number of the database's file; `nil` for servers.
    var file: UInt64?
    var mark: LogMark?

    /// The size of the file in bytes: less than what disks write atomically.
    static let length = 512

    /// The result of reading the file.
    enum Reading: Hashable, Sendable {
        case absent
        case unreadable
        case remembered(StoreMemory)

        /// The remembered record, if there is one.
        var mark: LogMark? {
            if case .remembered(let memory) = self { memory.mark } else { nil }
        }
    }

    /// Reads the file.
    static func read(_ path: String) throws(EventStoreError) -> Reading {
        guard let descriptor = try open(path, creating: false) else { return .absent }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: length + 1)
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        guard count >= 0 else { throw failure(path) }
        // Another process has created the file and writes it next, or ended before it could.
        guard count > 0 else { return .absent }
        guard count == length, let memory = StoreMemory(line: Array(bytes.prefix(length))) else {
            return .unreadable
        }
        return .remembered(memory)
    }

    /// Writes the file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - isLasting: Whether to return only once the file is durable.
    /// - Throws: ``EventStoreError`` when the file cannot be written.
    func write(to path: String, isLasting: Bool) throws(EventStoreError) {
        guard let descriptor = try Self.open(path, creating: true) else { return }
        defer { close(descriptor) }
        let line = self.line
        let count = line.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        guard count == Self.length, ftruncate(descriptor, off_t(Self.length)) == 0,
            !isLasting || fsync(descriptor) == 0
        else { throw Self.failure(path) }
    }

    /// Opens the file under a lock that lasts until it is closed; `nil` when it does not exist and
    /// is not to be created.
    private static func open(
        _ path: String,
        creating: Bool
    ) throws(EventStoreError) -> Int32? {
        var descriptor: Int32
        do throws(CompanionFile.Refusal) {
            do throws(CompanionFile.Refusal) {
                descriptor = try CompanionFile.open(path, O_RDWR | (creating ? O_CREAT : 0))
            } catch  where !creating && error.storeError(path) == .readOnly {
                descriptor = try CompanionFile.open(path, O_RDONLY)
            }
        } catch {
            if error == .missing, !creating { return nil }
            throw error.storeError(path)
        }
        // Held for the duration of one small write.
        while flock(descriptor, creating ? LOCK_EX : LOCK_SH) != 0 {
            guard errno == EINTR else { break }
        }
        return descriptor
    }

    private static func failure(_ path: String) -> EventStoreError {
        let failure = errno
        switch failure {
        case EROFS, EACCES, EPERM: return .readOnly
        case ENOSPC, EDQUOT: return .full
        default:
            let words = strerror(failure).map { String(cString: $0) } ?? "error \(failure)"
            return .inputOutput(reason: "\(path): \(words)", code: failure)
        }
    }
}

extension StoreMemory {
    /// The version of the line's format.
    private static let version: Int64 = 1

    /// The line, always of the same length.
    var line: [UInt8] {
        var members: [JSONValue.Member] = [
            .init("epoch", .integer(identity.epoch)),
            .init("file", file.map { .string("\($0)") } ?? .null),
            .init("id", .string(identity.id)),
        ]
        if let mark {
            members += [
                .init("hash", .string(mark.hash.hexadecimal)),
                .init("seq", .integer(mark.sequence.rawValue)),
                .init("session", .string("\(mark.stream)")),
            ]
        }
        members.append(.init("v", .integer(Self.version)))
        // Whatever the numbers are, the members need less than 300 bytes.
        var bytes = (try? JSONValue.object(members).canonical()) ?? []
        bytes += Array(repeating: UInt8(ascii: " "), count: max(0, Self.length - 1 - bytes.count))
        return bytes + [UInt8(ascii: "\n")]
    }

    /// Parses a line; `nil` for anything else.
    init?(line: [UInt8]) {
        var text = line[...]
        while let last = text.last, last == 0x0A || last == 0x20 { text.removeLast() }
        guard let value = try? JSONValue(parsing: Array(text)),
            case .integer(Self.version)? = value["v"],
            case .string(let id)? = value["id"], case .integer(let epoch)? = value["epoch"],
            let found = StoreIdentity(id: id, epoch: epoch)
        else { return nil }
        identity = found
        if case .string(let text)? = value["file"] {
            guard let number = UInt64(text) else { return nil }
            file = number
        }
        guard case .string(let session)? = value["session"] else { return }
        guard let stream = SessionID(session), case .integer(let sequence)? = value["seq"],
            case .string(let hash)? = value["hash"], let digest = Digest256(hexadecimal: hash)
        else { return nil }
        mark = LogMark(stream: stream, sequence: SequenceNumber(rawValue: sequence), hash: digest)
    }
}
