/// One step from an older form of an event type's data to the next one: a pure function.
public struct Upcaster: Sendable {
    /// The name of the event type.
    public let type: String
    /// The version that it takes; it gives the next one.
    public let version: Int
    /// The step.
    public let transform: @Sendable (JSONValue) throws(EventDecodingError) -> JSONValue

    /// A step from a version of a type to the next version.
    public init(
        type: String,
        from version: Int,
        transform: @escaping @Sendable (JSONValue) throws(EventDecodingError) -> JSONValue
    ) {
        self.type = type
        self.version = version
        self.transform = transform
    }
}

/// The steps from all older forms to the current ones.
public struct UpcasterRegistry: Sendable {
    private var steps: [String: [Int: Upcaster]] = [:]

    /// A registry of these steps; of two with the same type and version the last one counts.
    public init(_ upcasters: [Upcaster]) {
        for upcaster in upcasters {
            steps[upcaster.type, default: [:]][upcaster.version] = upcaster
        }
    }

    /// Brings data from an older version to a newer one, step by step.
    ///
    /// - Parameters:
    ///   - data: The canonical bytes of the data in its stored form.
    ///   - type: The name of the event type.
    ///   - version: The version of the stored form.
    ///   - current: The version wanted.
    /// - Returns: The canonical bytes of the data in the wanted form.
    /// - Throws: ``EventDecodingError/noUpcaster(type:version:)`` when a step is missing, and what a step throws.
    func upcast(
        _ data: [UInt8],
        of type: String,
        from version: Int,
        to current: Int
    ) throws(EventDecodingError) -> [UInt8] {
        guard version >= 0, let steps = steps[type] else {
            throw .noUpcaster(type: type, version: version)
        }
        var value = try CanonicalReader.read(data) { reader throws(EventDecodingError) in
            try JSONValue.read(from: &reader)
        }
        for step in version..<current {
            guard let upcaster = steps[step] else {
                throw .noUpcaster(type: type, version: step)
            }
            value = try upcaster.transform(value)
        }
        return try value.canonical()
    }
}
