internal import EventLog

/// Compares addresses by the normal forms of scheme, host, port and percent encoding.
///
/// - Note: Source: RFC 3986, normalization; payment session API, additional invariants of the
///   ladder.
extension AddressParts {
    /// One item of a query; an item without `=` has no value, which differs from an empty one.
    package struct QueryItem: Hashable, Sendable {
        /// The part before the first `=`.
        package var name: [UInt8]
        /// The part after the first `=`; `nil` without one.
        package var value: [UInt8]?
    }

    /// The port; `nil` for the scheme's default.
    ///
    /// - Parameter scheme: The scheme whose default is used.
    /// - Returns: The port's digits in their normal form, or `nil`.
    func effectivePort(for scheme: String) -> String? {
        guard let port, !port.isEmpty, let number = Int(port) else { return nil }
        switch (scheme, number) {
        case ("https", 443), ("http", 80): return nil
        default: return String(number)
        }
    }

    /// The path in its normal form: not empty, and with a slash at its end.
    var pathForComparing: [UInt8] {
        var bytes = Self.normalized(path)
        if bytes.last != UInt8(ascii: "/") { bytes.append(UInt8(ascii: "/")) }
        return bytes
    }

    /// The query's items, percent-decoded.
    package var queryItems: [QueryItem] {
        guard let query else { return [] }
        return query.utf8.split(separator: UInt8(ascii: "&")).map { part in
            guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else {
                return QueryItem(name: Self.decoded(part), value: nil)
            }
            return QueryItem(
                name: Self.decoded(part[..<equals]),
                value: Self.decoded(part[part.index(after: equals)...])
            )
        }
    }

    /// Whether everything but the scheme and the query is the same.
    ///
    /// - Parameters:
    ///   - other: The other address.
    ///   - scheme: The scheme whose default port is used for both.
    /// - Returns: Whether it is the same.
    func hasSamePlace(as other: AddressParts, scheme: String) -> Bool {
        host == other.host && userinfo == other.userinfo
            && effectivePort(for: scheme) == other.effectivePort(for: scheme)
            && pathForComparing == other.pathForComparing
            && fragment.map(Self.normalized) == other.fragment.map(Self.normalized)
    }

    /// The number of query items in addition to those of another address.
    ///
    /// - Returns: The number; `nil` when an item of the other address is missing, or occurs less
    ///   often.
    func extraQueryItems(over other: AddressParts) -> Int? {
        let own = queryItems
        var counts: [QueryItem: Int] = [:]
        for item in own { counts[item, default: 0] += 1 }
        let wanted = other.queryItems
        for item in wanted {
            guard let left = counts[item], left > 0 else { return nil }
            counts[item] = left - 1
        }
        return own.count - wanted.count
    }

    /// The bytes with percent encoding in its normal form: none for unreserved characters, and
    /// upper-case digits in the rest.
    static func normalized(_ text: String) -> [UInt8] {
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%"), rest.count >= 2,
                let high = rest[rest.startIndex].hexadecimalValue,
                let low = rest[rest.startIndex + 1].hexadecimalValue
            else {
                result.append(byte)
                continue
            }
            rest = rest.dropFirst(2)
            let value = high << 4 | low
            if value.isUnreserved {
                result.append(value)
            } else {
                PercentEncoding.append(value, to: &result)
            }
        }
        return result
    }

    private static func decoded(_ text: some Collection<UInt8>) -> [UInt8] {
        PercentEncoding.decoded(text)
    }
}
