internal import CSQLite
package import EventLog
internal import Glibc

/// A failure reported by SQLite, with its own codes.
package struct SQLiteFailure: Error {
    /// The extended result code.
    package var code: Int32
    /// The `errno` of the system call that failed; 0 when none did.
    package var systemCode: Int32 = 0
    /// SQLite's message; it names tables and columns, never values, and of a damaged file, what is
    /// in the place of its table definitions: see ``printable(_:)``.
    package var message: String
    /// The alteration of the file's structure, when that is the failure.
    package var alteration: String?
    /// The schema version of the file, when the failure is that a newer build upgraded it.
    package var newerVersion: Int?
}

extension SQLiteFailure {
    /// Creates a failure for a file whose structure differs from what this build creates.
    package init(alteration: String) {
        (code, systemCode, message) = (SQLITE_SCHEMA, 0, "the tables were altered")
        self.alteration = alteration
    }

    /// Creates a failure for a file that a newer build upgraded.
    package init(newerVersion: Int) {
        (code, systemCode, message) = (SQLITE_SCHEMA, 0, "a newer build upgraded the tables")
        self.newerVersion = newerVersion
    }

    /// The last failure of a connection.
    package init(code: Int32, on database: OpaquePointer?) {
        self.code = code
        guard let database else {
            systemCode = 0
            message = String(cString: sqlite3_errstr(code))
            return
        }
        // A failed COMMIT leaves no system code in the connection; `errno` of the thread still has
        // it.
        let kept = sqlite3_system_errno(database)
        systemCode = kept != 0 || code & 0xFF != SQLITE_IOERR ? kept : errno
        message = Self.printable(String(cString: sqlite3_errmsg(database)))
    }

    /// The most characters of SQLite's message that are kept.
    package static let messageLimit = 200

    /// The first line of a message, with `?` for what is not printable ASCII.
    ///
    /// SQLite quotes a table definition that it cannot parse: in a damaged or forged file, any
    /// text.
    package static func printable(_ message: String) -> String {
        let line = message.unicodeScalars.prefix { $0 != "\n" && $0 != "\r" }
        let shown = line.prefix(messageLimit).map { scalar -> Character in
            (0x20..<0x7F).contains(scalar.value) ? Character(scalar) : "?"
        }
        return String(shown) + (line.count > messageLimit ? "…" : "")
    }

    /// The result code without its extension.
    package var primaryCode: Int32 { code & 0xFF }

    /// Whether the failure concerns one append only, so that the others of the transaction can
    /// proceed.
    package var concernsOneAppend: Bool {
        if case .moved = storeError { return false }
        if alteration != nil { return false }
        return primaryCode == SQLITE_CONSTRAINT || primaryCode == SQLITE_TOOBIG
            || primaryCode == SQLITE_MISMATCH
    }

    /// The failure as the port's error.
    ///
    /// - Note: Source: SQLite result and error codes. SQLite reports a write that exceeds a quota
    ///   or the process's file size limit as an I/O error; here it is ``EventStoreError/full``,
    ///   like a full disk.
    package var storeError: EventStoreError {
        if let alteration { return .alteredSchema(reason: alteration) }
        if let newerVersion {
            return .newerSchema(found: newerVersion, supported: SQLiteSchema.currentVersion)
        }
        if code == SQLITE_CONSTRAINT | 7 << 8, message == SQLiteSchema.movedMark { return .moved }
        switch primaryCode {
        case SQLITE_BUSY, SQLITE_LOCKED:
            return .busy
        case SQLITE_FULL:
            return .full
        case SQLITE_IOERR:
            if [ENOSPC, EDQUOT, EFBIG].contains(systemCode) { return .full }
            // A file system that became read-only under an open file.
            if systemCode == EROFS { return .readOnly }
            return .inputOutput(reason: reason, code: code)
        case SQLITE_READONLY, SQLITE_PERM:
            return .readOnly
        case SQLITE_NOTADB:
            return .foreign(reason: "the file is not a SQLite database")
        case SQLITE_CORRUPT, SQLITE_CONSTRAINT, SQLITE_SCHEMA, SQLITE_ERROR, SQLITE_MISMATCH:
            return .corrupt(stream: nil, sequence: nil, reason: reason)
        case SQLITE_TOOBIG:
            return .limit(name: "recordBytes")
        default:
            return .unavailable(reason: reason, code: code)
        }
    }

    private var reason: String {
        guard systemCode != 0, let words = strerror(systemCode) else { return message }
        return "\(message) (\(String(cString: words)))"
    }
}

/// Runs work on a connection and converts failures to the port's errors.
package func translated<Value>(_ body: () throws -> Value) throws(EventStoreError) -> Value {
    do {
        return try body()
    } catch let failure as SQLiteFailure {
        throw failure.storeError
    } catch let error as EventStoreError {
        throw error
    } catch {
        throw .unavailable(reason: "\(error)", code: nil)
    }
}
