import TestSupport
import Testing

/// The table of secret and personal values says how each is stored, and is complete.
@Suite(.duty("C-02")) struct SealedValuesTests {
    @Test func `sealed-values.md lists every secret or personal value of the log as it is stored`()
        throws
    {
        let members = try SchemaMember.all()
        #expect(members.count { $0.form == .sealed } >= 30)
        #expect(members.count { $0.form == .screened } > 8)
        let rows = Self.rows(of: try Repository.file("Documentation/sealed-values.md").text)
        #expect(rows.count > 40)
        #expect(Self.faults(of: members, in: rows) == [])
    }

    @Test(arguments: [
        ("payerEmail", #"{"type":"string"}"#), ("iban", #"{"type":"string"}"#),
        ("returnURLs", #"{"type":"array","items":{"type":"string"}}"#),
        ("customerSSN", #"{"anyOf":[{"type":"string"},{"type":"null"}]}"#),
        ("color", #"{"$ref":"urn:payment-workflow:schema:events:sealed"}"#),
        ("words", #"{"$ref":"urn:payment-workflow:schema:events:parts#/$defs/outsideText"}"#),
        ("extra", ##"{"type":"object","properties":{"cvc":{"type":"string"}}}"##),
    ])
    func `a sealed or secret-looking member that the table lacks is reported`(
        name: String,
        form: String
    ) throws {
        let schema =
            #"{"type":"object","properties":{"\#(name)":\#(form),"amount":{"type":"integer"}}}"#
        let members = try SchemaMember.members(of: schema, called: "refunded")
        #expect(members.count == 1)
        #expect(Self.faults(of: members, in: []).count == 1)
        let harmless = #"{"type":"object","properties":{"\#(name)":{"enum":["a","b"]}}}"#
        #expect(try SchemaMember.members(of: harmless, called: "refunded") == [])
    }

    @Test func `a row that is incomplete or contradicts the schema is reported`() {
        let member = SchemaMember(place: "refunded.payerEmail", form: .sealed)
        func fault(_ row: String) -> [String] {
            Self.faults(of: [member], in: Self.rows(of: "| value | where | kept |\n" + row))
        }
        #expect(fault("| e-mail | `refunded.payerEmail` | sealed | who has the keys |") == [])
        for row in [
            "| e-mail | `refunded.payerEmail` | clear: the merchant gave it, and it is harmless | all |",
            "| e-mail | `refunded.payerEmail` | sealed | |",
            "| e-mail | `refunded.payerEmail` | sealed |",
            "| e-mail | `refunded.payerEmail`, `refunded.phone` | sealed | who has the keys |",
            "| e-mail | `refunded.email` | sealed | who has the keys |",
        ] {
            #expect(!fault(row).isEmpty, "\(row)")
        }
        let open = SchemaMember(place: "refunded.payerEmail", form: .open)
        let reasonless = Self.rows(of: "| e | `refunded.payerEmail` | clear | all |")
        #expect(Self.faults(of: [open], in: reasonless).count == 1)
    }

    private struct Row {
        var text: String
        var cells: [String]
        var places: [String]
        /// The first word of the description.
        var form: String
        /// The description after that word.
        var reason: String
    }

    private static func rows(of text: String) -> [Row] {
        text.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| value ") }.map {
            line in
            let cells = line.dropFirst().dropLast().split(
                separator: "|",
                omittingEmptySubsequences: false
            )
            .map { String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
            let kept = cells.count > 2 ? cells[2] : ""
            return Row(
                text: String(line),
                cells: cells,
                places: cells.count > 1
                    ? cells[1].matches(of: /`([^`]+)`/).map { String($0.1) } : [],
                form: String(kept.prefix { $0 != ":" && $0 != "," }),
                reason: String(kept.drop { $0 != ":" }.dropFirst())
            )
        }
    }

    /// The words that a row must use.
    private static let words: [SchemaMember.Form: Set<String>] = [
        .sealed: ["sealed"], .screened: ["screened"], .open: ["clear", "masked", "digest"],
    ]

    private static func faults(of members: [SchemaMember], in rows: [Row]) -> [String] {
        var faults: [String] = []
        var listed: [String: Row] = [:]
        for row in rows {
            if row.cells.count != 4 || row.cells.contains("") {
                faults.append("not four cells: \(row.text)")
            }
            if row.places.isEmpty != (row.form == "not kept") {
                faults.append("no place: \(row.text)")
            }
            if ["clear", "not kept"].contains(row.form), row.reason.count < 20 {
                faults.append("no reason: \(row.text)")
            }
            for place in row.places {
                if listed.updateValue(row, forKey: place) != nil {
                    faults.append("twice: \(place)")
                }
            }
        }
        for member in members {
            guard let row = listed.removeValue(forKey: member.place) else {
                if member.form != .open || member.looksSecret {
                    faults.append("not in the table: \(member.place), \(member.form.rawValue)")
                }
                continue
            }
            if words[member.form]?.contains(row.form) != true {
                faults.append("\(member.place) is \(member.form.rawValue), not '\(row.form)'")
            }
        }
        return faults + listed.keys.sorted().map { "no such member: \($0)" }
    }
}
