extension ForeignJSON {
    /// Parses JSON strictly (RFC 8259); of two members with the same name, the first one counts.
    ///
    /// A general decoder takes about seven times as long to produce a tree of unknown structure,
    /// which would make parsing a response more expensive than fetching it; a test verifies that
    /// both agree.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8, with or without a byte order mark.
    ///   - maximumDepth: The maximum nesting depth of lists and objects.
    ///   - repairsText: Whether a half of a surrogate pair, and bytes that are not UTF-8, become
    ///     U+FFFD in a string instead of making the whole text unreadable.
    ///   - allowingDuplicates: Whether an object may have two members with the same name.
    /// - Throws: ``EventDecodingError/limit(name:)`` when it is nested more deeply,
    ///   ``EventDecodingError/duplicateMember``, otherwise
    ///   ``EventDecodingError/malformed(offset:)``.
    package init(
        parsing bytes: [UInt8],
        maximumDepth: Int,
        repairsText: Bool = false,
        allowingDuplicates: Bool = true
    ) throws(EventDecodingError) {
        var parser = ForeignJSONParser(bytes: bytes, maximumDepth: maximumDepth)
        parser.repairsText = repairsText
        self = try parser.document()
        guard allowingDuplicates || !parser.hasDuplicateMember else { throw .duplicateMember }
    }
}

/// The state of parsing a JSON text.
struct ForeignJSONParser {
    /// The number of members that most objects of a response do not exceed.
    private static let usualMembers = 6
    /// The length from which on no memory is reserved for members, so that a long text of small
    /// objects takes no multiple of what it needs.
    private static let longText = 1 << 20

    let bytes: [UInt8]
    let maximumDepth: Int
    /// Whether characters that do not exist become U+FFFD.
    var repairsText = false
    var index = 0
    /// Whether an object had a name twice.
    private(set) var hasDuplicateMember = false
    /// Whether a number had a fraction or an exponent, or was a negative zero.
    private(set) var hasOtherNumber = false
    /// The number of members for which each object reserves memory.
    private let reserved: Int

    init(bytes: [UInt8], maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        reserved = bytes.count < Self.longText ? Self.usualMembers : 0
    }

    /// The error that the text is not JSON, at the current byte.
    var malformed: EventDecodingError { .malformed(offset: min(index, bytes.count)) }

    /// The next byte; 0 at the end, a byte that JSON permits nowhere.
    var next: UInt8 { index < bytes.count ? bytes[index] : 0 }

    mutating func skipBlanks() {
        while next == 0x20 || next == 0x0A || next == 0x0D || next == 0x09 { index += 1 }
    }

    /// Reads the whole text.
    mutating func document() throws(EventDecodingError) -> ForeignJSON {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        let value = try value(depth: 0)
        skipBlanks()
        guard index == bytes.count else { throw malformed }
        return value
    }

    /// Reads a value nested in this many lists and objects.
    private mutating func value(depth: Int) throws(EventDecodingError) -> ForeignJSON {
        skipBlanks()
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", is: .bool(true))
        case UInt8(ascii: "f"): return try word("false", is: .bool(false))
        case UInt8(ascii: "n"): return try word("null", is: .null)
        default: return try number()
        }
    }

    private mutating func object(depth: Int) throws(EventDecodingError) -> ForeignJSON {
        guard depth <= maximumDepth else { throw .limit(name: "depth") }
        index += 1
        skipBlanks()
        if consume(UInt8(ascii: "}")) { return .object([:]) }
        var members = [String: ForeignJSON](minimumCapacity: reserved)
        while true {
            skipBlanks()
            guard next == UInt8(ascii: "\"") else { throw malformed }
            let name = try string()
            skipBlanks()
            guard consume(UInt8(ascii: ":")) else { throw malformed }
            let value = try value(depth: depth)
            if let first = members.updateValue(value, forKey: name) {
                members[name] = first
                hasDuplicateMember = true
            }
            skipBlanks()
            if consume(UInt8(ascii: "}")) { return .object(members) }
            guard consume(UInt8(ascii: ",")) else { throw malformed }
        }
    }

    private mutating func array(depth: Int) throws(EventDecodingError) -> ForeignJSON {
        guard depth <= maximumDepth else { throw .limit(name: "depth") }
        var elements: [ForeignJSON] = []
        index += 1
        skipBlanks()
        if consume(UInt8(ascii: "]")) { return .array(elements) }
        while true {
            elements.append(try value(depth: depth))
            skipBlanks()
            if consume(UInt8(ascii: "]")) { return .array(elements) }
            guard consume(UInt8(ascii: ",")) else { throw malformed }
        }
    }

    private mutating func consume(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        index += 1
        return true
    }

    private mutating func word(
        _ word: StaticString,
        is value: ForeignJSON
    ) throws(EventDecodingError) -> ForeignJSON {
        let end = index + word.utf8CodeUnitCount
        guard end <= bytes.count, bytes[index..<end].elementsEqual("\(word)".utf8) else {
            throw malformed
        }
        index = end
        return value
    }

    private mutating func number() throws(EventDecodingError) -> ForeignJSON {
        let start = index
        _ = consume(UInt8(ascii: "-"))
        if !consume(UInt8(ascii: "0")) { try digits() }
        var isWhole = true
        if consume(UInt8(ascii: ".")) {
            isWhole = false
            try digits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            isWhole = false
            index += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
            try digits()
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if !isWhole || text == "-0" { hasOtherNumber = true }
        if isWhole, let whole = Int64(text) { return .integer(whole) }
        guard let number = Double(text) else { throw malformed }
        return .number(number)
    }

    private mutating func digits() throws(EventDecodingError) {
        guard next.isDigit else { throw malformed }
        while next.isDigit { index += 1 }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}
