package import EventLog

/// The source of the content of samples.
package protocol SampleSource {
    /// Returns a text.
    mutating func text() -> String
    /// Returns a number that canonical JSON can express.
    mutating func number() -> Int64
    /// Decides whether something is true or present.
    mutating func chance() -> Bool
    /// Returns the length of a list.
    mutating func count() -> Int
    /// Returns a sealed value.
    mutating func sealed() -> Sealed
}

/// Creates sample values from the members of their forms.
package struct FormSampler: FormPass {
    /// The source of the content.
    package var source: any SampleSource

    /// The maximum number of tries to create an object with consistent members.
    private static let tries = 10_000

    /// Creates a sampler with a source of content.
    package init(_ source: any SampleSource) { self.source = source }

    /// Returns an object whose members are consistent.
    mutating func object<Object: ObjectForm>() throws(EventDecodingError) -> Object {
        for _ in 1..<Self.tries {
            do { return try Object(&self, nil) } catch { continue }
        }
        return try Object(&self, nil)
    }

    /// Returns one of several values.
    mutating func one<Value>(_ values: [Value]) -> Value {
        values[Int(word() % UInt64(values.count))]
    }

    mutating func word() -> UInt64 { UInt64(bitPattern: source.number()) }

    package mutating func require<Value: MemberForm>(
        _ label: StaticString,
        _ value: @autoclosure () -> Value?
    ) throws(EventDecodingError) -> Value {
        try Value.sample(by: &self)
    }

    package mutating func find<Value: MemberForm>(
        _ label: StaticString,
        _ value: @autoclosure () -> Value?
    ) throws(EventDecodingError) -> Value? {
        source.chance() ? try require(label, value()) : nil
    }
}
