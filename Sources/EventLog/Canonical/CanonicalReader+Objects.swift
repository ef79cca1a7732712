/// The part of an object that has been read.
@usableFromInline
package struct ObjectCursor {
    /// The range of the last member's name, without its quotation marks; `nil` before the first
    /// member.
    @usableFromInline package var lastName: Range<Int>?

    /// Creates a cursor before the first member.
    @inlinable init() {}
}

extension CanonicalReader {
    /// Enters an object.
    @inlinable @inline(__always)
    package mutating func beginObject() throws(EventDecodingError) -> ObjectCursor {
        try expect(UInt8(ascii: "{"))
        try descend()
        return ObjectCursor()
    }

    /// Advances to the value of a member; members must be requested in canonical order.
    ///
    /// - Returns: False when the object has no such member.
    /// - Throws: When the skipped members are not in canonical order.
    @inlinable @inline(__always)
    package mutating func advance(
        to label: StaticString,
        in object: inout ObjectCursor
    ) throws(EventDecodingError) -> Bool {
        while true {
            let start = try nameStart(in: object)
            guard let start else { return false }
            let length = label.utf8CodeUnitCount
            if matches(label, at: start), byte(at: start + length) == UInt8(ascii: "\"") {
                object.lastName = start..<start + length
                step(to: start + length + 1)
                try expect(UInt8(ascii: ":"))
                return true
            }
            guard isName(at: start, before: label) else { return false }
            try skipMember(namedAt: start, in: &object)
        }
    }

    /// Leaves an object, skipping the members that were not requested.
    @inlinable @inline(__always)
    package mutating func endObject(_ object: inout ObjectCursor) throws(EventDecodingError) {
        while let start = try nameStart(in: object) {
            try skipMember(namedAt: start, in: &object)
        }
        try expect(UInt8(ascii: "}"))
        ascend()
    }

    /// Advances to the value of the next member, whatever its name.
    ///
    /// - Returns: The name, or `nil` at the end of the object, which is left to ``endObject(_:)``.
    package mutating func nextMember(
        in object: inout ObjectCursor
    ) throws(EventDecodingError) -> String? {
        guard let start = try nameStart(in: object) else { return nil }
        try stepOverName(at: start, in: &object)
        guard let range = object.lastName else { return nil }
        return try text(in: range)
    }

    /// The offset at which the next member's name starts, after its quotation mark; `nil` at the
    /// end.
    @inlinable @inline(__always)
    func nameStart(in object: ObjectCursor) throws(EventDecodingError) -> Int? {
        guard next != UInt8(ascii: "}") else { return nil }
        var place = index
        if object.lastName != nil {
            guard next == UInt8(ascii: ",") else { throw .notCanonical(offset: index) }
            place += 1
        }
        guard byte(at: place) == UInt8(ascii: "\"") else { throw .notCanonical(offset: place) }
        return place + 1
    }

    /// Whether the name at an offset sorts before a label that it differs from, in canonical order.
    @usableFromInline func isName(at start: Int, before label: StaticString) -> Bool {
        label.withUTF8Buffer { wanted in
            for place in 0..<wanted.count {
                let found = byte(at: start + place)
                if found == UInt8(ascii: "\"") { return true }
                if found == UInt8(ascii: "\\") {
                    return isEscape(at: start + place, before: wanted[place])
                }
                if found != wanted[place] { return found < wanted[place] }
            }
            return false
        }
    }

    /// Whether the character that an escape stands for sorts before an ASCII character that it
    /// differs from.
    private func isEscape(at place: Int, before wanted: UInt8) -> Bool {
        switch byte(at: place + 1) {
        case UInt8(ascii: "\\"): UInt8(ascii: "\\") < wanted
        case UInt8(ascii: "\""): UInt8(ascii: "\"") < wanted
        default: true
        }
    }

    @usableFromInline mutating func skipMember(
        namedAt start: Int,
        in object: inout ObjectCursor
    ) throws(EventDecodingError) {
        try stepOverName(at: start, in: &object)
        try skipValue()
    }

    /// Steps over a name and its colon, and checks that the name sorts after the previous one.
    private mutating func stepOverName(
        at start: Int,
        in object: inout ObjectCursor
    ) throws(EventDecodingError) {
        step(to: start - 1)
        let range = try stringRange()
        try checkText(in: range)
        if let last = object.lastName, try !isInOrder(last, range) {
            throw .notCanonical(offset: start)
        }
        object.lastName = range
        try expect(UInt8(ascii: ":"))
    }

    private func isInOrder(
        _ left: Range<Int>,
        _ right: Range<Int>
    ) throws(EventDecodingError) -> Bool {
        if slice(left).contains(0x5C) || slice(right).contains(0x5C) {
            return CanonicalOrder.precedes(try text(in: left), try text(in: right))
        }
        return CanonicalOrder.precedes(slice(left), slice(right))
    }
}
