package import EventLog

/// Where the content of samples comes from.
package protocol SampleSource {
    /// A text.
    mutating func text() -> String
    /// A number that canonical JSON can say.
    mutating func number() -> Int64
    /// Whether something is so, or is there.
    mutating func chance() -> Bool
    /// How long a list is.
    mutating func count() -> Int
    /// A sealed value.
    mutating func sealed() -> Sealed
}

/// Makes values by going over the members of their forms, and learns what may be masked in them.
package struct FormSampler: FormPass {
    /// Where the content comes from.
    package var source: any SampleSource
    /// What may be masked, by the paths of the members seen; lists on the way are not named.
    package private(set) var masks: [String: MaskStyle] = [:]
    private var path: [String] = []

    /// How often an object is made until its members fit each other.
    private static let tries = 10_000

    /// A sampler that takes content from there.
    package init(_ source: any SampleSource) { self.source = source }

    /// An object whose members fit each other.
    mutating func object<Object: ObjectForm>() throws(EventDecodingError) -> Object {
        for _ in 1..<Self.tries {
            do { return try Object(&self, nil) } catch { continue }
        }
        return try Object(&self, nil)
    }

    /// One of several values.
    mutating func one<Value>(_ values: [Value]) -> Value {
        values[Int(word() % UInt64(values.count))]
    }

    mutating func word() -> UInt64 { UInt64(bitPattern: source.number()) }

    package mutating func require<Value: MemberForm>(
        _ label: StaticString,
        _ value: @autoclosure () -> Value?,
        mask: MaskStyle?
    ) throws(EventDecodingError) -> Value {
        path.append(label.description)
        defer { path.removeLast() }
        if let mask { masks[path.joined(separator: ".")] = mask }
        return try Value.sample(by: &self)
    }

    package mutating func find<Value: MemberForm>(
        _ label: StaticString,
        _ value: @autoclosure () -> Value?,
        mask: MaskStyle?
    ) throws(EventDecodingError) -> Value? {
        source.chance() ? try require(label, value(), mask: mask) : nil
    }
}

/// Has every member, and of each list one element.
struct EveryMember: SampleSource {
    func text() -> String { "" }
    func number() -> Int64 { 0 }
    func chance() -> Bool { true }
    func count() -> Int { 1 }
    func sealed() -> Sealed { Sealed(fingerprint: .zero) }
}
