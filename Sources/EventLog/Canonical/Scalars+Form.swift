extension String: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) { writer.string(self) }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> String {
        try reader.string()
    }
}

extension Int: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) { writer.integer(Int64(self)) }

    package static func read(from reader: inout CanonicalReader) throws(EventDecodingError) -> Int {
        Int(try reader.integer())
    }
}

extension Int64: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) { writer.integer(self) }

    package static func read(from reader: inout CanonicalReader) throws(EventDecodingError) -> Int64
    {
        try reader.integer()
    }
}

extension SequenceNumber: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) { writer.integer(rawValue) }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> SequenceNumber {
        SequenceNumber(rawValue: try reader.integer())
    }
}

extension Bool: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        if self { writer.literal("true") } else { writer.literal("false") }
    }

    package static func read(from reader: inout CanonicalReader) throws(EventDecodingError) -> Bool
    {
        try reader.bool()
    }
}

extension Digest256: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) { writer.digest(self) }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> Digest256 {
        try reader.digest()
    }
}

extension Instant: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) { writer.instant(self) }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> Instant {
        try reader.instant()
    }
}

extension SessionID: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) { writer.session(self) }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> SessionID {
        try reader.session()
    }
}

extension Sealed: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) { writer.seal(self) }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> Sealed {
        var object = try reader.beginObject()
        let _: Int64 = try reader.require("$sealed", in: &object)
        let fingerprint: Digest256 = try reader.require("fp", in: &object)
        try reader.endObject(&object)
        return Sealed(fingerprint: fingerprint)
    }
}

extension OutsideText: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        switch self {
        case .plain(let text): writer.string(text)
        case .sealed(let sealed): writer.seal(sealed)
        }
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> OutsideText {
        if reader.next == UInt8(ascii: "\"") { return .plain(try reader.string()) }
        return .sealed(try .read(from: &reader))
    }
}
