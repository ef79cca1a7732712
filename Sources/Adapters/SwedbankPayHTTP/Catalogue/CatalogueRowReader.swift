internal import EventLog
internal import SwedbankPay

/// Reads the members of one row from its JSON object and reports invalid ones.
struct CatalogueRowReader {
    private var members: [String: ForeignJSON]
    private let number: Int
    private var type: String?

    init(_ members: [String: ForeignJSON], number: Int) {
        self.members = members
        self.number = number
    }

    /// Reads the slug, from `slug` or `type`, which must agree when both are present.
    mutating func identity() throws(ProblemCatalogueError) -> String {
        let slug = try text("slug")
        let whole = try text("type")
        type = slug ?? whole
        guard let given = slug ?? whole else { throw wrong("it has neither a type nor a slug") }
        if slug == nil, !given.unicodeScalars.contains(":") {
            throw wrong("its type is not a URL; write a type without its prefix as slug")
        }
        let identity = ProblemCatalogue.slug(of: given) ?? given
        type = identity
        guard identity.lowercased() != "about:blank" else {
            throw wrong(
                "about:blank identifies no problem; such problems are handled by the class of their status"
            )
        }
        let complete =
            identity.unicodeScalars.contains(":")
            ? identity : ProblemCatalogue.typePrefix + identity
        guard OutsideTextScreen.isProblemType(complete) else {
            throw wrong("its type cannot be stored in a log, so no problem would ever match it")
        }
        if let whole, whole != complete,
            ProblemCatalogue.key(of: whole) != ProblemCatalogue.key(of: complete)
        {
            throw wrong("its type and its slug differ")
        }
        return identity
    }

    /// Reads a text of one line.
    mutating func text(_ name: String) throws(ProblemCatalogueError) -> String? {
        guard let value = removeMember(name) else { return nil }
        guard let text = value.string, !text.isEmpty,
            text.utf8.count <= CatalogueRow.maximumTextBytes,
            !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
        else {
            throw wrong(
                "\(name) must be a string of one line and at most \(CatalogueRow.maximumTextBytes) bytes"
            )
        }
        return text
    }

    /// Reads one of the names of an enumeration.
    mutating func name<Value>(_ name: String) throws(ProblemCatalogueError) -> Value?
    where Value: RawRepresentable<String> & CaseIterable {
        guard let value = removeMember(name) else { return nil }
        guard let known = value.string.flatMap({ Value(rawValue: $0) }) else {
            let names = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw wrong("\(name) must be one of \(names)")
        }
        return known
    }

    /// Reads `true` or `false`.
    mutating func flag(_ name: String) throws(ProblemCatalogueError) -> Bool? {
        guard let value = removeMember(name) else { return nil }
        guard case .bool(let flag) = value else { throw wrong("\(name) must be true or false") }
        return flag
    }

    /// Reads a whole number within bounds.
    mutating func number(
        _ name: String,
        in range: ClosedRange<Int>
    ) throws(ProblemCatalogueError) -> Int? {
        guard let value = removeMember(name) else { return nil }
        guard let number = value.integer.flatMap({ Int(exactly: $0) }), range.contains(number)
        else {
            throw wrong(
                "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return number
    }

    /// Reads limits of card schemes.
    mutating func limits(_ name: String) throws(ProblemCatalogueError) -> [ChargeLimit]? {
        guard let value = removeMember(name) else { return nil }
        guard let elements = value.array, elements.count <= CatalogueRow.maximumLimits else {
            throw wrong("\(name) must be a list of at most \(CatalogueRow.maximumLimits) limits")
        }
        var limits: [ChargeLimit] = []
        for element in elements {
            guard let members = element.object else { throw wrong("\(name) must contain objects") }
            var reader = CatalogueRowReader(members, number: number)
            reader.type = type
            guard let scheme = try reader.text("scheme"),
                let failures = try reader.number("failures", in: 1...1000),
                let seconds = try reader.number("seconds", in: 1...CatalogueRow.maximumSeconds)
            else { throw wrong("a limit in \(name) needs scheme, failures and seconds") }
            try reader.finish()
            limits.append(
                ChargeLimit(scheme: scheme, failures: failures, window: .seconds(seconds))
            )
        }
        return limits
    }

    /// Throws when unread members are left.
    func finish() throws(ProblemCatalogueError) {
        if let name = members.keys.min() {
            throw wrong("there is no member '\(name.prefix(60))'")
        }
    }

    /// Removes and returns a member's value; an explicit `null` counts as absent.
    private mutating func removeMember(_ name: String) -> ForeignJSON? {
        let value = members.removeValue(forKey: name)
        return value == .null ? nil : value
    }

    private func wrong(_ reason: String) -> ProblemCatalogueError {
        .malformedRow(number: number, type: type, reason: reason)
    }
}
