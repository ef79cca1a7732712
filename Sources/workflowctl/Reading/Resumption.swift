internal import Adapters
internal import EventLog
internal import Glibc
internal import Inspection
internal import SwedbankPay

/// The file in which the verification of a store records its progress, so that the next run can
/// continue.
///
/// Only its owner can read it; it is replaced as a whole, and deleted when the verification is
/// complete. It contains positions and hashes that identify the store, and none of the records'
/// contents.
struct Resumption: Sendable {
    /// The format for a store in a file.
    static let form: Int64 = 1
    /// The format for a store on a server.
    static let serverForm: Int64 = 2
    /// The maximum size of the file: 64 MiB, which suffices for a million unfinished sessions.
    static let maximumBytes = 64 << 20

    /// The path of the file.
    let path: String

    /// The keys of the store, which authenticate the file; `nil` when they are not available.
    let vault: (any KeyVault)?

    init(path: String, vault: (any KeyVault)?) {
        self.path = path
        self.vault = vault
    }

    /// Reads the position; returns `nil` when there is no file, so that the verification starts
    /// from the beginning.
    func read(_ invocation: Invocation) async throws(Failure) -> StoreAuditMark? {
        try await read(invocation, Self.mark(in:))
    }

    /// Reads the position of the verification of a store on a server.
    func readOfServer(_ invocation: Invocation) async throws(Failure) -> SessionAuditMark? {
        try await read(invocation, Self.serverMark(in:))
    }

    private func read<Mark>(
        _ invocation: Invocation,
        _ parse: ([UInt8]) -> Mark?
    ) async throws(Failure) -> Mark? {
        let bytes: [UInt8]
        do {
            bytes = try FileBytes.read(path, limit: Self.maximumBytes)
        } catch {
            if error.status == .unknown { return nil }
            throw error
        }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1)
        guard let first = lines.first.map(Array.init), let mark = parse(first) else {
            throw .usage(
                "resume-file",
                "the progress file cannot be read",
                hint: "remove the file to start again"
            )
        }
        let said = String(decoding: lines.dropFirst().first ?? [], as: UTF8.self)
        try await checkOrigin(of: first, said: said.filter { !$0.isWhitespace }, invocation)
        return mark
    }

    /// Writes the position.
    func write(_ mark: StoreAuditMark) async throws(Failure) {
        try await write(Self.bytes(of: mark))
    }

    /// Writes the position of the verification of a store on a server.
    func write(_ mark: SessionAuditMark) async throws(Failure) {
        try await write(Self.bytes(of: mark))
    }

    /// Writes a document of one line, and with the keys a second line that authenticates it.
    private func write(_ bytes: [UInt8]) async throws(Failure) {
        var all = bytes
        if let vault {
            do {
                let document = Array(bytes.prefix { $0 != UInt8(ascii: "\n") })
                let mac = try await vault.addressFingerprint(of: Self.authenticated(document))
                all += (mac.hexadecimal + "\n").utf8
            } catch {
                throw Failure(error)
            }
        }
        try FileDraft.write(all, to: path)
    }

    /// Parses the content of such a file; returns `nil` when it is malformed.
    static func mark(in bytes: [UInt8]) -> StoreAuditMark? {
        (try? JSONValue(parsing: bytes)).flatMap(StoreAuditMark.init(_:))
    }

    /// Returns the content of a file with a position.
    static func bytes(of mark: StoreAuditMark) -> [UInt8] {
        Array((JSONDocument.text(mark.json) + "\n").utf8)
    }

    /// Removes the file at the end of the verification.
    func forget() throws(Failure) {
        guard unlink(path) == 0 || errno == ENOENT else { throw FileBytes.unwritable() }
    }

    /// The words for the continuation of an earlier verification.
    static func continuation(from mark: StoreAuditMark) -> String {
        "continuing after \(mark.position.done) of \(mark.position.end) records that were "
            + "checked before; records stored since the first run are not checked"
    }

    /// The failure for a file that belongs to another store.
    static func otherStore(_ reason: String) -> Failure {
        .usage(
            "resume-file",
            "the progress file belongs to another store: \(reason)",
            hint:
                "remove the file to start again; if the store is the same, its earlier records were altered"
        )
    }
}

extension StoreAuditMark {
    /// The position as JSON.
    fileprivate var json: JSONValue {
        [
            "form": .integer(Resumption.form), "position": position.json,
            "suspects": .array(suspects.map { .array([.integer($0.key), .integer($0.position)]) }),
            "result": result.json,
        ]
    }

    /// Reads the position from a document.
    fileprivate init?(_ document: JSONValue) {
        guard document["form"] == .integer(Resumption.form),
            let position = document["position"].flatMap(StoreAuditPosition.init(_:)),
            case .array(let list)? = document["suspects"],
            let result = document["result"].flatMap(StoreAuditResult.init(_:))
        else { return nil }
        var suspects: [Suspect] = []
        for suspect in list {
            guard case .array(let pair) = suspect, pair.count == 2,
                case .integer(let key) = pair[0],
                case .integer(let position) = pair[1]
            else { return nil }
            suspects.append(Suspect(key: key, position: position))
        }
        self.init(position: position, suspects: suspects, result: result)
    }
}

extension StoreAuditPosition {
    fileprivate var json: JSONValue {
        func json(_ place: Place?) -> JSONValue {
            place.map { .array([.integer($0.position), .string("\($0.hash)")]) } ?? .null
        }
        return [
            "first": json(first), "last": json(last),
            "done": .integer(done), "end": .integer(end),
            "digest": .string("\(digest)"),
        ]
    }

    fileprivate init?(_ document: JSONValue) {
        func place(_ name: String) -> Place?? {
            switch document[name] {
            case .null: return .some(nil)
            case .array(let pair) where pair.count == 2:
                guard case .integer(let position) = pair[0], case .string(let text) = pair[1],
                    let hash = Digest256(hexadecimal: text)
                else { return nil }
                return Place(position: position, hash: hash)
            default: return nil
            }
        }
        guard let first = place("first"), let last = place("last"),
            case .integer(let done)? = document["done"], case .integer(let end)? = document["end"],
            done <= end,
            case .string(let text)? = document["digest"], let digest = Digest256(hexadecimal: text)
        else { return nil }
        self.init(first: first, last: last, done: done, end: end, digest: digest)
    }
}

extension StoreAuditResult {
    /// The counts as JSON.
    ///
    /// Faults that need no keys are found again by a closer check, so only those that keys revealed
    /// are kept.
    var json: JSONValue {
        [
            "sessions": .integer(sessions),
            "records": .integer(tally.records),
            "sealedValues": .integer(tally.sealedValues),
            "seals": .integer(tally.seals),
            "unknown": .array(
                tally.unknown.map {
                    .array([
                        .string($0.key.type), .integer(Int64($0.key.version)),
                        .integer($0.value),
                    ])
                }
            ),
            "opened": .integer(seals.opened),
            "withoutKeys": .integer(seals.withoutKeys),
            "withOtherKeys": .integer(seals.withOtherKeys),
            "authentic": .integer(seals.authentic),
            "wrongSeals": .array(
                faults.compactMap { fault in
                    guard let session = fault.session else { return nil }
                    let what: [JSONValue]
                    switch fault.kind {
                    case .wrongSeal: what = []
                    case .wrongKey: what = [.string(StoreFault.keyMember)]
                    case .notAuthentic: what = [.string(StoreFault.macMember)]
                    case .projection(let members): what = members.map { .string($0) }
                    case .structure, .log, .unreadable, .missingRecords, .noSession:
                        return nil
                    }
                    return .array(
                        [.string("\(session)"), .sequence(fault.sequence ?? 0)] + what
                    )
                }
            ),
        ]
    }

    init?(_ document: JSONValue) {
        self.init()
        guard let sessions = document.integer("sessions"),
            let records = document.integer("records"),
            let sealedValues = document.integer("sealedValues"),
            let seals = document.integer("seals"), let opened = document.integer("opened"),
            let withoutKeys = document.integer("withoutKeys"),
            let withOtherKeys = document.integer("withOtherKeys"),
            case .array(let unknown)? = document["unknown"],
            case .array(let wrong)? = document["wrongSeals"]
        else { return nil }
        self.sessions = sessions
        tally.records = records
        tally.sealedValues = sealedValues
        tally.seals = seals
        for form in unknown {
            guard case .array(let parts) = form, parts.count == 3,
                case .string(let type) = parts[0],
                case .integer(let version) = parts[1], case .integer(let count) = parts[2]
            else { return nil }
            tally.unknown[.init(type: type, version: Int(version))] = count
        }
        (self.seals.opened, self.seals.withoutKeys) = (opened, withoutKeys)
        self.seals.withOtherKeys = withOtherKeys
        self.seals.authentic = document.integer("authentic") ?? 0
        for fault in wrong {
            guard case .array(let parts) = fault, parts.count == 2 || parts.count == 3,
                case .string(let text) = parts[0],
                let session = SessionID(text), case .integer(let sequence) = parts[1]
            else { return nil }
            let kind: StoreFault.Kind
            switch parts.dropFirst(2).first {
            case nil: kind = .wrongSeal
            case .string(StoreFault.keyMember)?: kind = .wrongKey
            case .string(StoreFault.macMember)?: kind = .notAuthentic
            case .string(let member)?: kind = .projection([member])
            default: return nil
            }
            let known = sequence == 0 ? nil : SequenceNumber(rawValue: sequence)
            add(StoreFault(session: session, sequence: known, kind: kind))
        }
    }
}

extension StoreFault {
    /// The text in the file for a data key that cannot be unwrapped, besides the members of the
    /// index of sessions.
    fileprivate static let keyMember = "key"
    /// The text for a record that is not authentic.
    fileprivate static let macMember = "mac"
}

extension JSONValue {
    /// Returns a member that is a whole number and not negative.
    fileprivate func integer(_ name: String) -> Int64? {
        guard case .integer(let value)? = self[name], value >= 0 else { return nil }
        return value
    }
}
