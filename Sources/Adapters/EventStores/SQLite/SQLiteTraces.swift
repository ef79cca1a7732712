internal import CSQLite

/// Searches a database file for bytes: in rows, in the remains of deleted rows, and in free pages.
///
/// The file is read through SQLite's own descriptor. Opening it separately and closing it again
/// would release all locks that this process holds on it.
///
/// - Note: Isolation: the thread of its connection.
/// - Note: Source: SQLite, "File Locking And Concurrency" on POSIX advisory locks;
///   `SQLITE_FCNTL_FILE_POINTER`.
struct SQLiteTraces {
    /// The number of bytes searched at once.
    private static let chunkBytes = 1 << 20
    /// The length of the shortest piece whose presence is conclusive.
    static let shortestPiece = 9
    /// The maximum number of pieces to search for; with more, rewriting the file is cheaper than
    /// searching it.
    static let mostPieces = 2048

    /// `SQLITE_IOERR_SHORT_READ`, a macro that Swift does not import: the file ends earlier.
    private static let shortRead = SQLITE_IOERR | 2 << 8

    private let pieces: [[UInt8]]
    private let longest: Int
    /// Whether any piece begins with these two bytes.
    private let beginnings: [Bool]
    private let byBeginning: [UInt16: [[UInt8]]]

    /// Prepares a search for these bytes.
    init(of pieces: [[UInt8]]) {
        self.pieces = pieces.filter { $0.count >= Self.shortestPiece }
        longest = self.pieces.map(\.count).max() ?? 0
        byBeginning = Dictionary(grouping: self.pieces) { Self.beginning($0[0], $0[1]) }
        var beginnings = [Bool](repeating: false, count: 1 << 16)
        for beginning in byBeginning.keys { beginnings[Int(beginning)] = true }
        self.beginnings = beginnings
    }

    /// The pieces by which a wrapped key is recognized, even where a part of it was already
    /// overwritten.
    static func pieces(ofWrapped wrapped: [UInt8]) -> [[UInt8]] {
        guard wrapped.count >= 2 * 16 else { return [wrapped] }
        let middle = wrapped.count / 2
        return [Array(wrapped.suffix(16)), Array(wrapped[(middle - 8)..<(middle + 8)])]
    }

    /// Whether one of the pieces is in the database file; the write-ahead log is not searched.
    func areFound(in connection: SQLiteConnection) throws(SQLiteFailure) -> Bool {
        guard !pieces.isEmpty else { return false }
        var pointer: UnsafeMutablePointer<sqlite3_file>?
        let code = withUnsafeMutablePointer(to: &pointer) {
            sqlite3_file_control(connection.database, "main", SQLITE_FCNTL_FILE_POINTER, $0)
        }
        guard code == SQLITE_OK, let file = pointer, let methods = file.pointee.pMethods?.pointee,
            let fileSize = methods.xFileSize, let read = methods.xRead
        else { throw SQLiteFailure(code: SQLITE_IOERR, message: "the file cannot be searched") }
        var size: sqlite3_int64 = 0
        guard fileSize(file, &size) == SQLITE_OK else {
            throw SQLiteFailure(code: SQLITE_IOERR, message: "the file has no size")
        }
        var chunk = [UInt8](repeating: 0, count: Self.chunkBytes)
        var place: sqlite3_int64 = 0
        while place < size {
            let count = Int(min(Int64(chunk.count), size - place))
            let code = chunk.withUnsafeMutableBytes {
                read(file, $0.baseAddress, Int32(clamping: count), place)
            }
            // Another process may be truncating the file; what no longer exists reads as zeros.
            guard code == SQLITE_OK || code == Self.shortRead else {
                throw SQLiteFailure(code: code, message: "the file cannot be searched")
            }
            if chunk.withUnsafeBytes({ isAny(in: UnsafeRawBufferPointer(rebasing: $0[..<count])) })
            {
                return true
            }
            if place + Int64(count) >= size { return false }
            // The next chunk begins early enough for a piece across the border.
            place += Int64(count - (longest - 1))
        }
        return false
    }

    private func isAny(in bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count > 1 else { return false }
        return beginnings.withUnsafeBufferPointer { beginnings in
            var last = bytes[0]
            for index in 1..<bytes.count {
                let next = bytes[index]
                let beginning = Self.beginning(last, next)
                last = next
                guard beginnings[Int(beginning)] else { continue }
                let rest = bytes[(index - 1)...]
                if byBeginning[beginning, default: []].contains(where: { rest.starts(with: $0) }) {
                    return true
                }
            }
            return false
        }
    }

    private static func beginning(_ first: UInt8, _ second: UInt8) -> UInt16 {
        UInt16(first) << 8 | UInt16(second)
    }
}
