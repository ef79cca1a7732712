internal import EventLog

/// A publisher's log position in a file of its own, replaced atomically with each step.
///
/// The file is one line with the log position and the hash of the last published record. Earlier
/// builds stored the log position as a number; such a file is read, and replaced with the next
/// step.
///
/// A system lock on a file next to it (`PATH.lock`) excludes other publishers; the lock ends with
/// the process, however that ends. The work runs off the caller's thread.
///
/// - Note: Isolation: any.
public final class FileOutboxPosition: OutboxPosition {
    /// The maximum number of bytes to read: more than the longest log position, a space, a hash and
    /// the end of the line.
    static let bytesLimit = LogCursor.maximumTextLength + 128

    private let file: ClaimedFile

    /// Creates a position in a file; the file is created with the first step.
    public init(path: String) { file = ClaimedFile(path: path, bytesLimit: Self.bytesLimit) }

    /// Locks the position and reads it.
    public func claim() async throws(OutboxFailure) -> OutboxMark? {
        let path = file.path
        return try await translated { () async throws(ClaimedFile.Refusal) in
            try await file.claim { bytes throws(ClaimedFile.Refusal) in
                guard let place = OutboxMark(parsing: bytes) else {
                    throw .unusable(reason: "\(path) does not contain a log position")
                }
                return place
            }
        }
    }

    /// Writes the position to a temporary file, syncs it, and renames it over the position file.
    public func advance(to place: OutboxMark) async throws(OutboxFailure) {
        try await translated { () async throws(ClaimedFile.Refusal) in
            try await file.replace(with: Array((place.text + "\n").utf8))
        }
    }

    /// Unlocks the position.
    public func release() async { await file.release() }

    private func translated<Value>(
        _ body: () async throws(ClaimedFile.Refusal) -> Value
    ) async throws(OutboxFailure) -> Value {
        do throws(ClaimedFile.Refusal) { return try await body() } catch {
            throw OutboxFailure(error)
        }
    }
}

extension OutboxFailure {
    /// The failure of a position in a file.
    init(_ refusal: ClaimedFile.Refusal) {
        self =
            switch refusal {
            case .inUse: .inUse
            case .unusable(let reason): .position(reason: reason)
            }
    }
}
