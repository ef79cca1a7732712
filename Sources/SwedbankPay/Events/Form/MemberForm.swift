package import EventLog

/// A value that can be a member of an event.
package protocol MemberForm: CanonicalForm {
    /// Returns a value whose content the sampler chooses.
    static func sample(by sampler: inout FormSampler) throws(EventDecodingError) -> Self
}

extension String: MemberForm {
    package static func sample(by sampler: inout FormSampler) -> String { sampler.source.text() }
}

extension Int: MemberForm {
    package static func sample(by sampler: inout FormSampler) -> Int {
        Int(sampler.source.number())
    }
}

extension Int64: MemberForm {
    package static func sample(by sampler: inout FormSampler) -> Int64 { sampler.source.number() }
}

extension Amount: MemberForm {
    package func write(to writer: inout CanonicalWriter) { writer.integer(minorUnits) }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> Amount {
        Amount(try reader.integer())
    }

    package static func sample(by sampler: inout FormSampler) -> Amount {
        Amount(sampler.source.number())
    }
}

extension SequenceNumber: MemberForm {
    package static func sample(by sampler: inout FormSampler) -> SequenceNumber {
        SequenceNumber(rawValue: sampler.source.number())
    }
}

extension Bool: MemberForm {
    package static func sample(by sampler: inout FormSampler) -> Bool { sampler.source.chance() }
}

extension Digest256: MemberForm {
    package static func sample(by sampler: inout FormSampler) -> Digest256 {
        Digest256(words: (sampler.word(), sampler.word(), sampler.word(), sampler.word()))
    }
}

extension Instant: MemberForm {
    package static func sample(by sampler: inout FormSampler) -> Instant {
        Instant(microseconds: Int64(sampler.word() % 4_000_000_000_000_000))
    }
}

extension SessionID: MemberForm {
    package static func sample(by sampler: inout FormSampler) -> SessionID {
        SessionID(at: .sample(by: &sampler), random: (sampler.word(), sampler.word()))
    }
}

extension Sealed: MemberForm {
    package static func sample(by sampler: inout FormSampler) -> Sealed { sampler.source.sealed() }
}

extension OutsideText: MemberForm {
    package static func sample(by sampler: inout FormSampler) -> OutsideText {
        sampler.source.chance() ? .plain(sampler.source.text()) : .sealed(sampler.source.sealed())
    }
}

extension Array: CanonicalForm, MemberForm where Element: MemberForm {
    package func write(to writer: inout CanonicalWriter) {
        writer.append(UInt8(ascii: "["))
        withUnsafeBufferPointer { elements in
            // An iterator would copy each element.
            for index in elements.indices {
                writer.separate(after: UInt8(ascii: "["))
                elements[index].write(to: &writer)
            }
        }
        writer.append(UInt8(ascii: "]"))
    }

    package static func read(from reader: inout CanonicalReader) throws(EventDecodingError) -> Self
    {
        var values: [Element] = []
        try reader.beginList()
        while try reader.advanceInList(isFirst: values.isEmpty) {
            values.append(try Element.read(from: &reader))
        }
        return values
    }

    package static func sample(by sampler: inout FormSampler) throws(EventDecodingError) -> Self {
        var values: [Element] = []
        for _ in 0..<sampler.source.count() { values.append(try Element.sample(by: &sampler)) }
        return values
    }
}

/// Texts keyed by names that the host chooses.
extension Dictionary: CanonicalForm, MemberForm where Key == String, Value == OutsideText {
    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            for (name, text) in sorted(by: { CanonicalOrder.precedes($0.key, $1.key) }) {
                writer.name(name)
                text.write(to: &writer)
            }
        }
    }

    package static func read(from reader: inout CanonicalReader) throws(EventDecodingError) -> Self
    {
        var texts: [String: OutsideText] = [:]
        var entries = try reader.beginObject()
        while let name = try reader.nextMember(in: &entries) {
            texts[name] = try .read(from: &reader)
        }
        try reader.endObject(&entries)
        return texts
    }

    package static func sample(by sampler: inout FormSampler) -> Self {
        var texts: [String: OutsideText] = [:]
        for _ in 0..<sampler.source.count() {
            texts[.sample(by: &sampler)] = .sample(by: &sampler)
        }
        return texts
    }
}

/// A value that is stored as a name, either of an open set or of one that this build knows
/// completely.
package protocol NameForm: MemberForm, RawRepresentable where RawValue == String {}

extension NameForm {
    package func write(to writer: inout CanonicalWriter) { writer.string(rawValue) }

    package static func read(from reader: inout CanonicalReader) throws(EventDecodingError) -> Self
    {
        try named(try reader.string())
    }

    /// Samples any text, because names of open sets may be any text.
    package static func sample(by sampler: inout FormSampler) throws(EventDecodingError) -> Self {
        try named(sampler.source.text())
    }

    @inline(__always)
    private static func named(_ name: String) throws(EventDecodingError) -> Self {
        guard let value = Self(rawValue: name) else { throw .unknownValue("\(Self.self)") }
        return value
    }
}

extension NameForm where Self: CaseIterable {
    package static func sample(by sampler: inout FormSampler) -> Self {
        sampler.one(Array(allCases))
    }
}
