/// The secret parts of addresses: who asks, what a link's holder may do, and the values that it carries.
extension SecretFinder {
    /// Credentials before the host, values of the query and fragment, and parts of host and path that look like a capability.
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

    /// Addresses that the workflow knows say nothing, as the types of problems.
    private func isHarmless(_ address: WrittenAddress) -> Bool {
        let text = String(String.UnicodeScalarView(scalars[address.range].map(\.lowercasedASCII)))
        return harmlessAddresses.contains { text.hasPrefix($0) }
    }

    /// A segment of a path: as a whole when it looks random or holds a secret in encoded form, what is behind `=` in it always.
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

    /// An item of a query or fragment: the value of a pair, and a lone word unless it is a short name.
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

    /// The pieces of a range that are not spared.
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

/// An address in a text, by the marks between its parts; whether it is a proper one doesn't matter.
struct WrittenAddress {
    /// All of it.
    var range: Range<Int>
    /// From behind `//` to the path.
    var authority: Range<Int>
    /// What stands before `@`.
    var userinfo: Range<Int>
    /// The host and port.
    var host: Range<Int>
    /// The path.
    var path: Range<Int>
    /// What stands behind `?`.
    var query: Range<Int>
    /// What stands behind `#`.
    var fragment: Range<Int>

    /// The addresses in a text: a scheme, `://`, and all up to a blank or a mark that no address has.
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
