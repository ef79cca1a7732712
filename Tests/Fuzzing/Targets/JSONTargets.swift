import LogFixtures

@testable import EventLog
@testable import SwedbankPay
@testable import SwedbankPayHTTP

extension FuzzTarget {
    /// JSON that is converted to the log's canonical form.
    static let canonicalJSON = readingCanonicalJSON { CanonicalCheck.isCanonical($0) }

    /// The same with code that recognizes the canonical form.
    static func readingCanonicalJSON(
        _ isCanonical: @escaping @Sendable ([UInt8]) -> Bool
    ) -> FuzzTarget {
        FuzzTarget(
            name: "canonical-json",
            maximumLength: 4096,
            growths: Growth.json,
            check: { bytes throws(Broken) in
                try checkCanonical(bytes, isCanonical)
            }
        )
    }

    private static func checkCanonical(
        _ bytes: [UInt8],
        _ isCanonicalForm: (([UInt8]) -> Bool)
    ) throws(Broken) -> Bool {
        let isCanonical = isCanonicalForm(bytes)
        let value: JSONValue
        do throws(EventDecodingError) {
            value = try JSONValue(parsing: bytes)
        } catch {
            try Canary.isAbsent(from: "\(error)")
            let equivalent =
                error == .duplicateMember && isCanonical
                && (try? CanonicalReader.read(bytes, JSONValue.read)).map(
                    JSONReading.hasEquivalentNames
                ) == true
            try hold(!isCanonical || equivalent, "what is canonical is JSON: \(error)")
            return false
        }
        try hold(!bytes.contains(0), "a text with NUL is no JSON")
        try hold(
            JSONReading.depth(bytes) <= CanonicalLimits.standard.depth,
            "the bound on depth is kept"
        )
        guard let other = try? LibraryJSON(parsing: bytes).value else {
            throw Broken(description: "another reader refuses it")
        }
        try hold(JSONReading.isSame(value, as: other), "another reader reads the same")
        let canonical: [UInt8]
        do {
            canonical = try value.canonical()
        } catch {
            throw Broken(description: "what was read cannot be written: \(error)")
        }
        try hold(isCanonicalForm(canonical), "what is written is canonical")
        try hold(!isCanonical || canonical == bytes, "the canonical form is a fixed point")
        try hold((try? JSONValue(parsing: canonical)) == value, "it is read back as it was")
        try hold(
            (try? CanonicalReader.read(canonical, JSONValue.read)) == value,
            "both readers of the log agree"
        )
        return true
    }

    /// JSON of the PSP.
    static let providerJSON = FuzzTarget(
        name: "provider-json",
        maximumLength: 4096,
        growths: Growth.json,
        check: { bytes throws(Broken) in
            let limit = ResponseLimits().depth
            let json: ForeignJSON
            do throws(EventDecodingError) {
                json = try ForeignJSON(parsing: bytes, maximumDepth: limit)
            } catch .limit {
                try hold(JSONReading.depth(bytes) > limit, "only what is too deep is called so")
                return false
            } catch {
                return false
            }
            try hold(JSONReading.depth(bytes) <= limit, "the bound on depth is kept")
            let text = json.text
            guard let again = try? ForeignJSON(parsing: Array(text.utf8), maximumDepth: limit)
            else { throw Broken(description: "what is written is no JSON") }
            try hold(again.text == text, "what was written once is written so again")
            try hold(isSame(json, again), "it is read back as it was")
            return true
        }
    )

    /// Whether two values are equal; a number that is not finite is written as `null`.
    private static func isSame(_ left: ForeignJSON, _ right: ForeignJSON) -> Bool {
        switch (left, right) {
        case (.number(let number), .null): return !number.isFinite
        case (.number(let number), _):
            return right.integer == left.integer || right == .number(number)
        case (.array(let left), .array(let right)):
            return left.count == right.count && zip(left, right).allSatisfy(isSame)
        case (.object(let left), .object(let right)):
            return left.count == right.count
                && left.allSatisfy { name, value in right[name].map { isSame(value, $0) } ?? false }
        default: return left == right
        }
    }
}
