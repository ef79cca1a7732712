/// An error of a store.
@nonexhaustive
public enum EventStoreError: Error, Hashable, Sendable {
    /// Another writer appended first: nothing was written; load and decide again.
    case conflict(stream: SessionID, expected: SequenceNumber, actual: SequenceNumber)
    /// The append starts a session whose address another session of the store already has; nothing
    /// was written.
    case addressTaken(by: SessionID)
    /// The append required the session's lease, which another engine holds; nothing was written.
    case leaseLost(stream: SessionID)
    /// The store can't be reached or opened.
    case unavailable(reason: String, code: Int32?)
    /// The server has no database of the given name.
    case noDatabase(reason: String)
    /// The database has none of the tables of a store.
    case noTables
    /// The store rejected the credentials; its message, never the credentials.
    case denied(reason: String)
    /// The store authenticated the user but does not permit the operation.
    case missingRight(reason: String)
    /// The server is read-only, such as a standby; write to another one.
    case standby(reason: String)
    /// The store is not trusted: a server's certificate or name is wrong, required encryption is
    /// missing, or a file belongs to another user or is none.
    case untrusted(reason: String)
    /// The store accepts no more connections at present.
    case crowded(reason: String)
    /// Another process locked the store for longer than the busy time-out; nothing was written.
    case busy
    /// The server canceled a statement that took longer than its time limit; nothing was written.
    case timedOut
    /// The store has no space left; nothing was written.
    case full
    /// The store is read-only; nothing was written.
    case readOnly
    /// The store's sessions were moved to another store, which has held them since; nothing was
    /// written.
    case moved
    /// The store may be an earlier state or a copy of the live one, so nothing is sent from it
    /// until an operator adopts it.
    ///
    /// Nothing was written.
    case notAdopted(reason: String)
    /// The log position means nothing in this store, and why.
    case cursorRefused(LogCursor.Refusal)
    /// The file is a database, but not one of ours.
    case foreign(reason: String)
    /// The store was written by a newer build.
    case newerSchema(found: Int, supported: Int)
    /// The store's tables differ from those that this program creates, so something in them may
    /// drop what is written; nothing was written.
    case alteredSchema(reason: String)
    /// Stored data can't be read, chained or folded.
    case corrupt(stream: SessionID?, sequence: SequenceNumber?, reason: String)
    /// A value that must be recorded again can't be opened; the value's name, never its content.
    /// Nothing was written.
    case secretMissing(stream: SessionID, value: String)
    /// An event has no form in which it could be stored, which is a defect of the program that
    /// decided on it; why. Nothing was written.
    case unwritable(stream: SessionID, reason: String)
    /// The file system failed to read or write.
    case inputOutput(reason: String, code: Int32?)
    /// A limit of the store was exceeded; its name. The request is too large and always will be.
    case limit(name: String)
    /// Too many operations are waiting for the store; the limit that was reached. Nothing was
    /// written.
    case overloaded(name: String)
    /// The store is closed.
    case closed

    /// The error's code, for example `store.conflict`: stable, and of few enough values for a
    /// metric label.
    public var code: String {
        switch self {
        case .conflict: "store.conflict"
        case .addressTaken: "store.address-taken"
        case .leaseLost: "store.lease-lost"
        case .unavailable: "store.unavailable"
        case .noDatabase: "store.no-database"
        case .noTables: "store.no-tables"
        case .denied: "store.denied"
        case .missingRight: "store.missing-right"
        case .standby: "store.standby"
        case .untrusted: "store.untrusted"
        case .crowded: "store.crowded"
        case .busy: "store.busy"
        case .timedOut: "store.timeout"
        case .full: "store.full"
        case .readOnly: "store.read-only"
        case .moved: "store.moved"
        case .notAdopted: "store.not-adopted"
        case .cursorRefused(.otherStore): "cursor.other-store"
        case .cursorRefused(.otherEpoch): "cursor.other-epoch"
        case .cursorRefused(.beyondEnd): "cursor.beyond-end"
        case .foreign: "store.foreign"
        case .newerSchema: "store.newer-schema"
        case .alteredSchema: "store.altered-schema"
        case .corrupt: "store.corrupt"
        case .secretMissing: "engine.secret-missing"
        case .unwritable: "engine.unwritable-event"
        case .inputOutput: "store.input-output"
        case .limit: "store.limit"
        case .overloaded: "store.overloaded"
        case .closed: "store.closed"
        }
    }

    /// Whether the same call may succeed a little later.
    public var isTransient: Bool {
        switch self {
        case .busy, .timedOut, .unavailable, .conflict, .overloaded, .leaseLost, .crowded, .standby:
            true
        case .addressTaken, .untrusted, .noDatabase, .noTables, .denied, .missingRight, .full,
            .readOnly, .moved,
            .notAdopted, .foreign, .newerSchema, .alteredSchema, .corrupt, .secretMissing,
            .unwritable,
            // Even a position beyond the end, which a lagging standby will reach: a store that was
            // restored reaches it with other records.
            .cursorRefused,
            .inputOutput, .limit, .closed:
            false
        }
    }
}

extension EventStoreError: CustomStringConvertible {
    /// A description for people, without personal data.
    public var description: String {
        switch self {
        case .conflict(let stream, let expected, let actual):
            "session \(stream) is at version \(actual), not \(expected): another writer appended to it"
        case .addressTaken(let session): "session \(session) already has this address"
        case .leaseLost(let stream):
            "another engine has taken over session \(stream); nothing was written"
        case .unavailable(let reason, _): "the store cannot be opened or reached: \(reason)"
        case .noDatabase(let reason): "there is no such database: \(reason)"
        case .noTables: "the database has no tables of a store"
        case .denied(let reason): "the store refuses the credentials: \(reason)"
        case .missingRight(let reason): "the database role lacks a right: \(reason)"
        case .standby(let reason): "the server is read-only: \(reason)"
        case .untrusted(let reason): "the store is not trusted: \(reason)"
        case .crowded(let reason): "the database accepts no more connections: \(reason)"
        case .busy: "another process has locked the store"
        case .timedOut: "the server canceled a statement that took too long; nothing was written"
        case .full: "there is no space left for the store; nothing was written"
        case .readOnly: "the store is read-only; nothing was written"
        case .moved: "the sessions of this store were moved to another one; nothing was written"
        case .notAdopted(let reason):
            "nothing is sent from this store until you adopt it: \(reason)"
        case .cursorRefused(.otherStore): "the log position belongs to another store"
        case .cursorRefused(.otherEpoch(let epoch, let current)):
            "the log position is of epoch \(epoch) of the store, which is in epoch \(current)"
        case .cursorRefused(.beyondEnd):
            "the store ends before the log position: it lacks records that it had"
        case .foreign(let reason): "the database is not a store of sessions: \(reason)"
        case .newerSchema(let found, let supported):
            "the store has schema version \(found); this build knows up to \(supported)"
        case .alteredSchema(let reason):
            "the tables of the store were altered: \(reason); nothing was written"
        case .corrupt(let stream, let sequence, let reason):
            "the log is damaged"
                + (stream.map { " in session \($0)" } ?? "")
                + (sequence.map { " at record \($0)" } ?? "") + ": \(reason)"
        case .secretMissing(let stream, let value):
            "\(value) of session \(stream) cannot be decrypted: its ciphertext or key is missing; nothing was written"
        case .unwritable(let stream, let reason):
            "an event of session \(stream) cannot be stored: \(reason); nothing was written"
        case .inputOutput(let reason, _): "reading or writing the store failed: \(reason)"
        case .limit(let name): "the limit \(name) was reached"
        case .overloaded(let name):
            "too many operations are waiting for the store (\(name)); nothing was written"
        case .closed: "the store was closed"
        }
    }
}
