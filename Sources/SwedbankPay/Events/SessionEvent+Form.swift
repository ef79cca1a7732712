public import EventLog

/// Receives an event's type and data.
protocol PayloadVisitor {
    mutating func visit(_ type: @autoclosure () -> EventType, _ payload: some ObjectForm)
}

/// Reads only the type.
private struct TypeVisitor: PayloadVisitor {
    var type: EventType?

    @inline(__always)
    mutating func visit(_ type: @autoclosure () -> EventType, _ payload: some ObjectForm) {
        self.type = type()
    }
}

/// Writes the data.
private struct WritingVisitor: PayloadVisitor {
    let writer: UnsafeMutablePointer<CanonicalWriter>

    @inline(__always)
    mutating func visit(_ type: @autoclosure () -> EventType, _ payload: some ObjectForm) {
        payload.write(to: &writer.pointee)
    }
}

extension SessionEvent: LoggedEvent {
    /// The event's type; `nil` for one that this build does not know.
    public var eventType: EventType? {
        var visitor = TypeVisitor()
        show(to: &visitor)
        return visitor.type
    }

    /// The event as it was found, if this build does not know it.
    public var unknownEvent: UnknownEvent? {
        if case .unknown(let event) = self { event } else { nil }
    }

    /// Writes the event's `data`.
    public func writeData(to writer: inout CanonicalWriter) {
        withUnsafeMutablePointer(to: &writer) {
            var visitor = WritingVisitor(writer: $0)
            show(to: &visitor)
        }
    }

    /// Reads the `data` of an event of a known type.
    public static func read(
        _ type: EventType,
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> SessionEvent {
        try type.read(from: &reader)
    }

    /// How older forms of events become current ones.
    public static var upcasters: UpcasterRegistry { EventType.upcasters }

    /// The names in the log of the types that this build knows.
    package static var typeNames: [String] { EventType.allCases.map(\.name) }
}
