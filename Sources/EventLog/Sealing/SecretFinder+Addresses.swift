/// The secret parts of addresses: credentials, capabilities, and the values that a link carries.
extension SecretFinder {
    /// Credentials before the host, values in the query and fragment, and parts of the host and
    /// path that look like a capability.
    func addressParts() -> [Finding] {
        addresses.flatMap { address -> [Finding] in
            var found: [Finding] = []
            if !address.userinfo.isEmpty, !isAllSpared(address.userinfo) {
                found.append(Finding(range: address.userinfo, kind: .credentials))
            }
            if isToken(address.host, shortest: Self.shortestTokenInAddress * 2) {
                found.append(Finding(range: address.host, kind: .token))
            }
            if !isHarmless(address) {
                for segment in split(address.path, at: ["/"]) { found += capability(in: segment) }
            }
            for item in split(address.query, at: ["&", ";"]) { found += value(in: item) }
            for item in split(address.fragment, at: ["&", ";"]) { found += value(in: item) }
            return found.filter { !isAllSpared($0.range) }
        }
    }

    /// Whether the workflow knows the address as harmless, such as the type of a problem.
    private func isHarmless(_ address: WrittenAddress) -> Bool {
        let text = String(String.UnicodeScalarView(scalars[address.range].map(\.lowercasedASCII)))
        return harmlessAddresses.contains { text.hasPrefix($0) }
    }

    /// The secret part of a path segment: all of it when it looks random or encodes a secret, and
    /// always what follows `=` in it.
    private func capability(in segment: Range<Int>) -> [Finding] {
        if segment.contains(where: { isSpared[$0] }) {
            return notSpared(of: segment).flatMap { capability(in: $0) }
        }
        if let sign = segment.first(where: { scalars[$0] == "=" }) {
            return sign + 1 < segment.upperBound
                ? [Finding(range: sign + 1..<segment.upperBound, kind: .value)] : []
        }
        if isToken(segment, shortest: Self.shortestTokenInAddress) {
            return [Finding(range: segment, kind: .token)]
        }
        return encodedSecret(in: segment).map { [Finding(range: segment, kind: $0)] } ?? []
    }

    /// The secret part of an item in a query or fragment: the value of a pair, or a lone word
    /// unless it is a short name.
    private func value(in item: Range<Int>) -> [Finding] {
        if let sign = item.first(where: { scalars[$0] == "=" }) {
            return sign + 1 < item.upperBound
                ? [Finding(range: sign + 1..<item.upperBound, kind: .value)] : []
        }
        if item.contains(where: { isSpared[$0] }) {
            return notSpared(of: item).flatMap { value(in: $0) }
        }
        let hasDigit = scalars[item].contains { $0.decimalDigit != nil }
        guard item.count >= (hasDigit ? 6 : Self.shortestTokenInAddress) else { return [] }
        return [Finding(range: item, kind: .value)]
    }

    /// The pieces of a range that are not exempt.
    private func notSpared(of range: Range<Int>) -> [Range<Int>] {
        var pieces: [Range<Int>] = []
        for place in range where !isSpared[place] {
            if let last = pieces.last, last.upperBound == place {
                pieces[pieces.count - 1] = last.lowerBound..<place + 1
            } else {
                pieces.append(place..<place + 1)
            }
        }
        return pieces
    }

    private func isAllSpared(_ range: Range<Int>) -> Bool {
        range.allSatisfy { isSpared[$0] }
    }

    private func split(_ range: Range<Int>, at marks: [Unicode.Scalar]) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = range.lowerBound
        for place in range where marks.contains(scalars[place]) {
            if place > start { parts.append(start..<place) }
            start = place + 1
        }
        if start < range.upperBound { parts.append(start..<range.upperBound) }
        return parts
    }
}

/// An address in a text, split at the marks between its parts; it need not be valid.
struct WrittenAddress {
    /// The whole address.
    var range: Range<Int>
    /// From after `//` to the path.
    var authority: Range<Int>
    /// The part before `@`.
    var userinfo: Range<Int>
    /// The host and port.
    var host: Range<Int>
    /// The path.
    var path: Range<Int>
    /// The part after `?`.
    var query: Range<Int>
    /// The part after `#`.
    var fragment: Range<Int>

    /// The addresses in a text: a scheme, `://`, and everything up to a blank or a mark that no
    /// address contains.
    static func all(in scalars: [Unicode.Scalar]) -> [WrittenAddress] {
        var found: [WrittenAddress] = []
        var place = 0
        while place + 2 < scalars.count {
            guard scalars[place] == ":", scalars[place + 1] == "/", scalars[place + 2] == "/" else {
                place += 1
                continue
            }
            var start = place
            let floor = found.last?.range.upperBound ?? 0
            while start > floor, isInScheme(scalars[start - 1]) { start -= 1 }
            var end = place + 3
            while end < scalars.count, isInAddress(scalars[end]) { end += 1 }
            if start < place { found.append(WrittenAddress(start, place + 3, end, in: scalars)) }
            place = end
        }
        return found
    }

    private init(_ start: Int, _ authority: Int, _ end: Int, in scalars: [Unicode.Scalar]) {
        func first(_ marks: [Unicode.Scalar], from place: Int, to limit: Int) -> Int {
            (place..<limit).first { marks.contains(scalars[$0]) } ?? limit
        }
        let pathStart = first(["/", "?", "#"], from: authority, to: end)
        let hash = first(["#"], from: pathStart, to: end)
        let mark = first(["?"], from: pathStart, to: hash)
        let at = (authority..<pathStart).last { scalars[$0] == "@" }
        range = start..<end
        self.authority = authority..<pathStart
        userinfo = authority..<(at ?? authority)
        host = (at.map { $0 + 1 } ?? authority)..<pathStart
        path = pathStart..<mark
        query = min(mark + 1, hash)..<hash
        fragment = min(hash + 1, end)..<end
    }

    private static func isInScheme(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCIIAlphanumeric || scalar == "+" || scalar == "-" || scalar == "."
    }

    private static func isInAddress(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.isBlankOrControl && !"\"<>\\^`{|}".unicodeScalars.contains(scalar)
    }
}
