internal import EventLog
internal import SwedbankPay

/// Reads the PSP's snapshot of a session from JSON, as far as it can be understood.
///
/// An invalid element costs only that element; unknown content is kept beside the snapshot, sealed,
/// under its JSON pointer (RFC 6901). Every secret is sealed on the way.
///
/// - Note: Source: payment session API, resource model; flaw F-07.
struct SnapshotReader {
    let keys: SessionKeys
    let limits: ResponseLimits
    /// Which links may open an app.
    let addresses: ClientAddresses
    /// Secrets of the request that texts of the response must not quote in the clear.
    let known: [String]
    /// The plaintexts of the values sealed so far.
    var secrets = SecretTable()
    /// Content that was not understood, with its JSON pointer; of two with the same pointer, the
    /// later one counts.
    private(set) var leftovers: [(pointer: String, json: ForeignJSON)] = []
    /// The addresses that redirects are compared with.
    var urls = PlaintextOrderURLs()
    private var operationCount = 0

    init(
        keys: SessionKeys,
        limits: ResponseLimits,
        known: [String],
        addresses: ClientAddresses = ClientAddresses()
    ) {
        self.addresses = addresses
        self.keys = keys
        self.limits = limits
        self.known = known
    }

    /// Why reading an element stopped.
    enum Obstacle: Error {
        /// The element is invalid; its neighbors may be valid.
        case wrongShape
        /// A limit of the whole response was exceeded.
        case refused(SnapshotRefusal)
    }

    /// The members of an object; those that are understood are marked as read.
    struct Members {
        private let all: [String: ForeignJSON]
        /// The names of the members that were read; removing them from the table would copy it,
        /// since it belongs to the response.
        private var taken: [String] = []
        let path: String

        init?(_ json: ForeignJSON, at path: String) {
            guard case .object(let members) = json else { return nil }
            all = members
            self.path = path
        }

        /// Marks a member as read and returns it; an explicit `null` counts as absent.
        mutating func read(_ name: String) -> ForeignJSON? {
            guard let value = all[name], !taken.contains(name) else { return nil }
            taken.append(name)
            if case .null = value { return nil }
            return value
        }

        /// A member, read or not.
        subscript(name: String) -> ForeignJSON? { all[name] }

        /// Visits the unread members, except explicit `null`s.
        func forEachLeft(_ body: (_ name: String, _ value: ForeignJSON) -> Void) {
            guard taken.count < all.count else { return }
            for (name, value) in all where !taken.contains(name) {
                if case .null = value { continue }
                body(name, value)
            }
        }

        /// The JSON pointer of a member.
        func pointer(_ name: String) -> String {
            guard name.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") })
            else { return path + "/" + name }
            return path + "/" + name.rewriting("~", as: "~0").rewriting("/", as: "~1")
        }
    }

    /// Reads a member that may be absent or unreadable; an unreadable one is kept as not
    /// understood.
    mutating func member<Value>(
        _ name: String,
        in members: inout Members,
        _ read: (ForeignJSON) -> Value?
    ) -> Value? {
        guard let json = members.read(name) else { return nil }
        if let value = read(json) { return value }
        leave(json, at: members.pointer(name))
        return nil
    }

    /// Reads a text that must be readable if present, or its element is invalid.
    mutating func text(
        _ name: String,
        in members: inout Members
    ) throws(Obstacle) -> String? {
        guard let json = members.read(name) else { return nil }
        guard let text = json.string, text.utf8.count <= limits.textBytes else {
            throw .wrongShape
        }
        return text
    }

    /// Keeps the unread members.
    mutating func keep(_ members: Members) {
        members.forEachLeft { name, value in leave(value, at: members.pointer(name)) }
    }

    /// Keeps a value beside the snapshot.
    mutating func leave(_ json: ForeignJSON, at pointer: String) {
        leftovers.append((pointer, json))
    }

    /// The content that was not understood, as the text of one object.
    var leftText: String {
        ForeignJSON.object(Dictionary(leftovers.map { ($0.pointer, $0.json) }) { $1 }).text
    }

    /// Reads the elements of a list; invalid ones are kept as not understood.
    mutating func elements<Value>(
        of name: String,
        in members: inout Members,
        limit: Int,
        called limitName: String,
        _ read: (inout SnapshotReader, ForeignJSON, String) throws(Obstacle) -> Value
    ) throws(Obstacle) -> [Value] {
        guard let json = members.read(name) else { return [] }
        let path = members.pointer(name)
        guard let list = json.array else {
            leave(json, at: path)
            return []
        }
        guard list.count <= limit else { throw .refused(.tooMany(limitName)) }
        var values: [Value] = []
        for (index, element) in list.enumerated() {
            let pointer = path + "/" + String(index)
            let before = leftovers.count
            do {
                values.append(try read(&self, element, pointer))
            } catch .wrongShape {
                leftovers.removeSubrange(before...)
                leave(element, at: pointer)
            }
        }
        return values
    }

    /// Counts the operations of the whole response.
    mutating func countOperation() throws(Obstacle) {
        operationCount += 1
        guard operationCount <= limits.operations else { throw .refused(.tooMany("operations")) }
    }

    mutating func seal(_ text: String) -> Sealed { secrets.seal(text, with: keys) }

    /// Screens a text for display.
    mutating func screened(_ text: String) -> OutsideText {
        OutsideTextScreen.text(text, keys: keys, secrets: &secrets, known: known)
    }

    /// A short name that may be stored in the clear.
    func name(_ json: ForeignJSON) -> String? {
        json.string.flatMap { OutsideTextScreen.isName($0) ? $0 : nil }
    }

    /// A text that may be stored in the clear as it is.
    func plain(_ json: ForeignJSON) -> String? {
        guard let text = json.string,
            text.unicodeScalars.count <= OutsideTextScreen.maximumPlainCharacters,
            OutsideTextScreen.isHarmless(text, known: known)
        else { return nil }
        return text
    }
}
