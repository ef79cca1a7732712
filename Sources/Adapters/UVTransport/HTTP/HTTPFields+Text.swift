package import HTTPTypes

extension HTTPFields {
    /// Creates fields from text that a host or a file provides.
    ///
    /// `HTTPField` replaces the bytes of a value that cannot be sent, so a token with a line end
    /// would leave as another token. Such text is refused here instead.
    ///
    /// - Throws: A failure of the kind ``TransportFailure/Kind/refusedRequest(_:)``, which says
    ///   whether a name or a value is at fault and shows neither.
    package init(checking fields: [(name: String, value: String)]) throws(TransportFailure) {
        self.init()
        for (name, value) in fields {
            guard let name = HTTPField.Name(name) else { throw .refusing("header name") }
            guard Self.isValue(value) else { throw .refusing("header value") }
            append(HTTPField(name: name, value: value))
        }
    }

    /// The last value of a field; a comma in it separates nothing.
    ///
    /// The subscript joins several values, which makes neither a date nor a media type.
    package func lastValue(of name: HTTPField.Name) -> String? { self[values: name].last }

    /// Whether a text consists of tabs and visible characters; never a line end, which would begin
    /// another field.
    static func isValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 == 9 || ($0 >= 32 && $0 != 127) }
    }
}

extension TransportFailure {
    /// The failure of a request that cannot be sent, because of a part of it.
    static func refusing(_ part: String) -> TransportFailure {
        TransportFailure(reach: .notSent, kind: .refusedRequest(part))
    }
}

/// Names of header fields that `HTTPField.Name` has no member for.
package enum FieldName {
    /// The name in a text that is one.
    package static func name(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else { preconditionFailure("field name \(text)") }
        return name
    }
}
