/// Finds the sealed values in canonical JSON, including events that this build does not know.
package enum SealedPlaces {
    /// The sealed values in the order in which they appear in the bytes.
    ///
    /// A sealed value is an object with exactly the members `$sealed`, a number, and `fp`, a
    /// digest. Text that looks like one is inside a string and does not count.
    package static func values(in json: [UInt8]) -> [Sealed] {
        numbered(in: json).map(\.value)
    }

    /// The sealed values with their numbers.
    ///
    /// Dollar signs are rare, so the search looks for them. Inside a string the quotation mark
    /// before the dollar sign would be escaped by a backslash, so text that only looks like a
    /// sealed value is never mistaken for one.
    static func numbered(in json: [UInt8]) -> [(number: Int64, value: Sealed)] {
        var values: [(number: Int64, value: Sealed)] = []
        json.withUnsafeBufferPointer { visit($0) { values.append(($0, $1)) } }
        return values
    }

    /// The number of sealed values.
    ///
    /// - Returns: The number, or `nil` when they are not numbered 0, 1, 2 …
    static func count(in json: [UInt8]) -> Int? { json.withUnsafeBufferPointer { count(in: $0) } }

    /// The number of sealed values in borrowed bytes.
    static func count(in json: UnsafeBufferPointer<UInt8>) -> Int? {
        var count: Int64 = 0
        var isInOrder = true
        visit(json) { number, _ in
            if number != count { isInOrder = false }
            count += 1
        }
        return isInOrder ? Int(count) : nil
    }

    @inline(__always)
    private static func visit(
        _ json: UnsafeBufferPointer<UInt8>,
        _ body: (Int64, Sealed) -> Void
    ) {
        // Reading fails only for empty input, which contains no sealed values.
        try? CanonicalReader.read(json) { reader throws(EventDecodingError) in
            while case let dollar = reader.next(UInt8(ascii: "$"), from: reader.index),
                reader.byte(at: dollar) != 0
            {
                let start = dollar - 2
                var probe = reader
                probe.step(to: start)
                if reader.matches("{\"$sealed\":", at: start),
                    let value = try? numbered(from: &probe)
                {
                    body(value.number, value.value)
                    reader = probe
                } else {
                    reader.step(to: dollar + 1)
                }
            }
        }
    }

    private static func numbered(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> (number: Int64, value: Sealed) {
        try reader.expect("{\"$sealed\":")
        let number = try reader.integer()
        try reader.expect(",\"fp\":")
        let fingerprint = try reader.digest()
        try reader.expect(UInt8(ascii: "}"))
        return (number, Sealed(fingerprint: fingerprint))
    }
}
