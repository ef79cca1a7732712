extension CanonicalReader {
    /// Enters a list.
    @inlinable @inline(__always)
    package mutating func beginList() throws(EventDecodingError) {
        try expect(UInt8(ascii: "["))
        try descend()
    }

    /// Advances to the next element of a list, or leaves the list.
    ///
    /// - Returns: False at the end.
    @inlinable @inline(__always)
    package mutating func advanceInList(isFirst: Bool) throws(EventDecodingError) -> Bool {
        if next == UInt8(ascii: "]") {
            step(to: index + 1)
            ascend()
            return false
        }
        if !isFirst { try expect(UInt8(ascii: ",")) }
        return true
    }

    /// Steps over a value of any type and checks that it is canonical.
    package mutating func skipValue() throws(EventDecodingError) {
        switch next {
        case UInt8(ascii: "{"):
            var object = try beginObject()
            try endObject(&object)
        case UInt8(ascii: "["):
            try beginList()
            var isFirst = true
            while try advanceInList(isFirst: isFirst) {
                isFirst = false
                try skipValue()
            }
        case UInt8(ascii: "\""): try checkText(in: try stringRange())
        case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try bool()
        case UInt8(ascii: "n"): try expect("null")
        default: _ = try integer()
        }
    }

    /// Steps over an object by matching its brackets alone, because it is fully read later.
    package mutating func skipObjectQuickly() throws(EventDecodingError) {
        guard next == UInt8(ascii: "{") else { throw .notCanonical(offset: index) }
        var open = 0
        var place = index
        repeat {
            switch byte(at: place) {
            case UInt8(ascii: "{"): open += 1
            case UInt8(ascii: "}"): open -= 1
            case UInt8(ascii: "\""):
                step(to: place)
                _ = try stringRange()
                place = index - 1
            case 0: throw .notCanonical(offset: place)
            default: break
            }
            place += 1
        } while open > 0
        step(to: place)
    }
}
