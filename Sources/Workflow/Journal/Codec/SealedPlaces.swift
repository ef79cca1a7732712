/// Finds the sealed values in canonical JSON, also in events that this build does not know.
enum SealedPlaces {
    /// The sealed values in the order in which they stand in the bytes.
    ///
    /// A sealed value is an object of exactly `$sealed`, a number, and `fp`, a digest; text that looks like one
    /// stands in a string and is none.
    static func values(in json: [UInt8]) -> [Sealed] {
        numbered(in: json).map(\.value)
    }

    /// The sealed values with the numbers that they bear.
    static func numbered(in json: [UInt8]) -> [(number: Int64, value: Sealed)] {
        let found = try? CanonicalReader.read(json) { reader throws(EventDecodingError) in
            var values: [(number: Int64, value: Sealed)] = []
            while reader.next != 0 {
                switch reader.next {
                case UInt8(ascii: "\""): _ = try reader.stringRange()
                case UInt8(ascii: "{") where reader.matches("{\"$sealed\":", at: reader.index):
                    var probe = reader
                    if let value = try? numbered(from: &probe) {
                        values.append(value)
                        reader = probe
                    } else {
                        reader.step(to: reader.index + 1)
                    }
                default: reader.step(to: reader.index + 1)
                }
            }
            return values
        }
        return found ?? []
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
