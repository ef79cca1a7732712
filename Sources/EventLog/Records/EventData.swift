/// The data of an event as named values: a stored form for workflows in which speed does not
/// matter.
///
/// It writes canonical JSON in whatever order values are set, and reads what it wrote. A secret is
/// given as a ``Sealed`` value and is never part of the data itself.
///
/// ```swift
/// func writeData(to writer: inout CanonicalWriter) {
///     EventData(["seat": .string(seat)]).write(to: &writer)
/// }
/// ```
public struct EventData: Hashable, Sendable {
    private var values: [String: JSONValue]
    private var secrets: [String: Sealed] = [:]

    /// Creates data with these values.
    public init(_ values: [String: JSONValue] = [:]) { self.values = values }

    /// Reads data at the reader's current position.
    public init(from reader: inout CanonicalReader) throws(EventDecodingError) {
        guard case .object(let members) = try JSONValue.read(from: &reader) else {
            throw .unexpectedForm(offset: reader.index)
        }
        values = [:]
        for member in members {
            if let fingerprint = member.value[Self.fingerprint], member.value[Self.mark] != nil {
                guard case .string(let text) = fingerprint,
                    let digest = Digest256(hexadecimal: text)
                else {
                    throw .unexpectedForm(offset: reader.index)
                }
                secrets[member.name] = Sealed(fingerprint: digest)
            } else {
                values[member.name] = member.value
            }
        }
    }

    private static let mark = "$sealed"
    private static let fingerprint = "fp"

    /// Writes the data.
    public func write(to writer: inout CanonicalWriter) {
        let names = Array(values.keys) + secrets.keys.filter { values[$0] == nil }
        writer.object { writer in
            for name in names.sorted(by: { CanonicalOrder.precedes($0, $1) }) {
                writer.name(name)
                if let secret = secrets[name] {
                    writer.seal(secret)
                } else {
                    values[name]?.write(to: &writer)
                }
            }
        }
    }

    /// A value that is not secret; `nil` when there is none of that name.
    public subscript(name: String) -> JSONValue? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// A secret; `nil` when there is none of that name.
    public subscript(secret name: String) -> Sealed? {
        get { secrets[name] }
        set { secrets[name] = newValue }
    }

    /// The text with that name, which must be present.
    public func text(_ name: String) throws(EventDecodingError) -> String {
        guard case .string(let text)? = values[name] else { throw .missing(member: name) }
        return text
    }

    /// The whole number with that name, which must be present.
    public func integer(_ name: String) throws(EventDecodingError) -> Int64 {
        guard case .integer(let number)? = values[name] else { throw .missing(member: name) }
        return number
    }

    /// The Boolean with that name, which must be present.
    public func flag(_ name: String) throws(EventDecodingError) -> Bool {
        guard case .bool(let flag)? = values[name] else { throw .missing(member: name) }
        return flag
    }

    /// The time with that name, stored as text; `nil` when there is none.
    public func time(_ name: String) throws(EventDecodingError) -> Instant? {
        guard values[name] != nil else { return nil }
        guard let instant = Instant(try text(name)) else { throw .missing(member: name) }
        return instant
    }
}
