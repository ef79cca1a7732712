package import EventLog

/// A value that is an object in the log: each member is declared once, for reading and writing.
///
/// ```swift
/// extension ActionFailed: ObjectForm {
///     package init(
///         _ members: inout some FormPass,
///         _ value: Given<Self>?
///     ) throws(EventDecodingError) {
///         action = try members.require("action", value?.action)
///         error = try members.find("error", value?.error)
///     }
/// }
/// ```
package protocol ObjectForm: MemberForm, Sendable {
    /// Processes the members in canonical order.
    ///
    /// - Parameters:
    ///   - members: The pass that reads, writes or samples the members.
    ///   - value: The value to write; `nil` when a value is being created.
    /// - Throws: ``EventDecodingError`` when the members can't be read.
    init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError)
}

/// A value that is being written.
///
/// Its members are read in place, because each copy of a snapshot would retain all of its parts.
@dynamicMemberLookup
package struct Given<Object> {
    private let place: UnsafePointer<Object>

    /// Wraps a value for as long as it stays where it is.
    @inline(__always)
    fileprivate init(at place: UnsafePointer<Object>) { self.place = place }

    /// A copy of the value.
    @inline(__always)
    package var whole: Object { place.pointee }

    /// A member of the value.
    @inline(__always)
    package subscript<Member>(dynamicMember member: KeyPath<Object, Member>) -> Member {
        place.pointee[keyPath: member]
    }
}

/// An operation on a form, which requests one member after the other in canonical order.
package protocol FormPass {
    /// A member that must be present.
    mutating func require<Value: MemberForm>(
        _ label: StaticString,
        _ value: @autoclosure () -> Value?
    ) throws(EventDecodingError) -> Value

    /// A member that may be absent.
    mutating func find<Value: MemberForm>(
        _ label: StaticString,
        _ value: @autoclosure () -> Value?
    ) throws(EventDecodingError) -> Value?
}

extension FormPass {
    /// A member that is omitted when it has its usual value.
    @inline(__always)
    package mutating func find<Value: MemberForm & Equatable>(
        _ label: StaticString,
        _ value: @autoclosure () -> Value?,
        else usual: @autoclosure () -> Value
    ) throws(EventDecodingError) -> Value {
        func unusual() -> Value? {
            guard let value = value(), value != usual() else { return nil }
            return value
        }
        return try find(label, unusual()) ?? usual()
    }
}

extension ObjectForm {
    @inline(__always)
    package func write(to writer: inout CanonicalWriter) {
        writer.beginObject()
        withUnsafeMutablePointer(to: &writer) { writer in
            withUnsafePointer(to: self) { value in
                var pass = WritingPass(writer: writer)
                do {
                    _ = try Self(&pass, Given(at: value))
                } catch {
                    preconditionFailure("\(error)")
                }
            }
        }
        writer.endObject()
    }

    @inline(__always)
    package static func read(from reader: inout CanonicalReader) throws(EventDecodingError) -> Self
    {
        let object = try reader.beginObject()
        var pass = ReadingPass(reader: reader, object: object)
        let value = try Self(&pass, nil)
        reader = pass.reader
        try reader.endObject(&pass.object)
        return value
    }

    package static func sample(by sampler: inout FormSampler) throws(EventDecodingError) -> Self {
        try sampler.object()
    }
}

/// Reads the members of an object.
struct ReadingPass: FormPass {
    var reader: CanonicalReader
    var object: ObjectCursor

    @inline(__always)
    mutating func require<Value: MemberForm>(
        _ label: StaticString,
        _ value: @autoclosure () -> Value?
    ) throws(EventDecodingError) -> Value {
        guard try reader.advance(to: label, in: &object) else {
            throw .missing(member: label.description)
        }
        return try Value.read(from: &reader)
    }

    @inline(__always)
    mutating func find<Value: MemberForm>(
        _ label: StaticString,
        _ value: @autoclosure () -> Value?
    ) throws(EventDecodingError) -> Value? {
        guard try reader.advance(to: label, in: &object) else { return nil }
        return try Value.read(from: &reader)
    }
}

/// Writes the members of an object.
struct WritingPass: FormPass {
    let writer: UnsafeMutablePointer<CanonicalWriter>

    @inline(__always)
    mutating func require<Value: MemberForm>(
        _ label: StaticString,
        _ value: @autoclosure () -> Value?
    ) throws(EventDecodingError) -> Value {
        guard let value = value() else { preconditionFailure("no \(label) to write") }
        writer.pointee.name(label)
        value.write(to: &writer.pointee)
        return value
    }

    @inline(__always)
    mutating func find<Value: MemberForm>(
        _ label: StaticString,
        _ value: @autoclosure () -> Value?
    ) throws(EventDecodingError) -> Value? {
        guard let value = value() else { return nil }
        writer.pointee.name(label)
        value.write(to: &writer.pointee)
        return value
    }
}
