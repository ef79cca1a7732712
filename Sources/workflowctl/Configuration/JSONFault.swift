/// The place at which a text is not JSON, for messages about files that people write.
///
/// The parser of JSON reports only that there is a fault.
struct JSONFault: Hashable, Sendable {
    /// The line, from 1.
    let line: Int
    /// The character in that line, from 1.
    let column: Int

    /// Finds the first byte that cannot be there; `nil` when there is none, as in text whose
    /// fault is another one.
    init?(in bytes: [UInt8]) {
        var scan = JSONScan(bytes: bytes)
        guard !scan.isDocument() else { return nil }
        let before = bytes[..<scan.place]
        let begin = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        line = before.count { $0 == UInt8(ascii: "\n") } + 1
        column = String(decoding: before[begin...], as: UTF8.self).count + 1
    }
}

/// Moves over JSON, and stops at the first byte that cannot be there.
private struct JSONScan {
    let bytes: [UInt8]
    private(set) var place = 0
    private var depth = 0

    /// The depth from which on nothing is scanned.
    private static let depthLimit = 200

    init(bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    /// Whether the bytes are one value, or its scan was given up.
    mutating func isDocument() -> Bool {
        guard passValue() else { return false }
        passBlanks()
        return depth > Self.depthLimit || place == bytes.count
    }

    private mutating func passBlanks() {
        while let next, [0x20, 0x09, 0x0A, 0x0D].contains(next) { place += 1 }
    }

    private mutating func pass(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        place += 1
        return true
    }

    private mutating func passValue() -> Bool {
        passBlanks()
        // Deeper values have a fault of their own.
        guard depth <= Self.depthLimit else { return true }
        guard let next else { return false }
        switch next {
        case UInt8(ascii: "{"): return passList(to: UInt8(ascii: "}"), isObject: true)
        case UInt8(ascii: "["): return passList(to: UInt8(ascii: "]"), isObject: false)
        case UInt8(ascii: "\""): return passString()
        case UInt8(ascii: "t"): return passWord("true")
        case UInt8(ascii: "f"): return passWord("false")
        case UInt8(ascii: "n"): return passWord("null")
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return passNumber()
        default: return false
        }
    }

    /// Passes an object or an array, which ends with a byte.
    private mutating func passList(to end: UInt8, isObject: Bool) -> Bool {
        (place, depth) = (place + 1, depth + 1)
        passBlanks()
        if pass(end) {
            depth -= 1
            return true
        }
        repeat {
            passBlanks()
            if isObject {
                guard next == UInt8(ascii: "\""), passString() else { return false }
                passBlanks()
                guard pass(UInt8(ascii: ":")) else { return false }
            }
            guard passValue() else { return false }
            // The scan was given up.
            guard depth <= Self.depthLimit else { return true }
            passBlanks()
        } while pass(UInt8(ascii: ","))
        guard pass(end) else { return false }
        depth -= 1
        return true
    }

    private mutating func passString() -> Bool {
        place += 1
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                place += 1
                return true
            case UInt8(ascii: "\\"):
                guard place + 1 < bytes.count, "\"\\/bfnrtu".utf8.contains(bytes[place + 1])
                else { return false }
                place += 2
            case ..<0x20: return false
            default: place += 1
            }
        }
        return false
    }

    private mutating func passWord(_ word: String) -> Bool {
        guard bytes[place...].starts(with: word.utf8) else { return false }
        place += word.utf8.count
        return true
    }

    private mutating func passNumber() -> Bool {
        while let next, "+-.eE0123456789".utf8.contains(next) { place += 1 }
        return true
    }
}
