import Foundation
import SwedbankPay
import Testing

@testable import SwedbankPayHTTP

/// Catalogues with rows that a host has changed in a file.
@Suite struct OverriddenCatalogueTests {
    private let bundled = ProblemCatalogue.bundled

    private func overridden(_ text: String) throws -> ProblemCatalogue {
        try bundled.overridden(by: Array(text.utf8))
    }

    private func advice(
        _ catalogue: ProblemCatalogue,
        _ slug: String,
        _ status: Int,
        _ instrument: Instrument = .card
    ) -> ProblemAdvice {
        catalogue.advice(
            type: slug.contains(":") ? slug : ProblemCatalogue.typePrefix + slug,
            status: status,
            instrument: instrument
        )
    }

    @Test func `an overriding row changes only the members it names`() throws {
        let before = advice(bundled, "creditcard/carddeclined", 403)
        let after = advice(
            try overridden(#"[{"slug":"creditcard/carddeclined","payerMessage":"Nej."}]"#),
            "creditcard/carddeclined",
            403
        )
        var expected = before
        expected.payerMessage = "Nej."
        #expect(after == expected)
        let listed = try overridden(
            #"{"catalogue":"c","rows":[{"slug":"creditcard/carddeclined","payerMessage":"Nej."}]}"#
        )
        #expect(advice(listed, "creditcard/carddeclined", 403) == expected)
        let others = try overridden(#"[{"slug":"creditcard/carddeclined","actor":"psp"}]"#).rows
        #expect(others.count == bundled.rows.count)
        #expect(zip(others, bundled.rows).count { $0 != $1 } == 1)
    }

    @Test func `an overriding class also sets the values that follow from it`() throws {
        let repeated = advice(
            try overridden(
                #"[{"slug":"creditcard/dailylimitexceeded","class":"askFirst","delaySeconds":7,"maximumSeconds":60}]"#
            ),
            "creditcard/dailylimitexceeded",
            403
        )
        #expect(repeated.isRetryable && repeated.asksFirst && repeated.newAttempt == .other)
        #expect(repeated.delay == .seconds(7))
        #expect(repeated.cap == RetryCap(tries: nil, time: .seconds(60)))
        // The day for which the card stays blocked is not a pause between two requests.
        let bare = try overridden(
            #"[{"slug":"creditcard/dailylimitexceeded","retrySameRequest":true}]"#
        )
        #expect(advice(bare, "creditcard/dailylimitexceeded", 403).delay == .zero)
        let ended = try overridden(#"[{"slug":"trustly/systemerror","class":"never"}]"#)
        let never = advice(ended, "trustly/systemerror", 502)
        #expect(!never.isRetryable && never.newAttempt == .never && never.cap.tries == 1)
    }

    @Test func `an override without a status applies to all rows of its type, in every spelling`()
        throws
    {
        let both = try overridden(#"[{"slug":"invoice/externalerror","delaySeconds":9}]"#)
        #expect(advice(both, "invoice/externalerror", 500).delay == .seconds(9))
        #expect(advice(both, "invoice/externalerror", 502).delay == .seconds(9))
        let one = try overridden(
            #"[{"slug":"invoice/externalerror","status":502,"delaySeconds":9}]"#
        )
        #expect(advice(one, "invoice/externalerror", 500).delay == .seconds(1))
        let spelled = try overridden(
            #"[{"slug":"creditcard/3dsecureusercancelled","actor":"merchant"}]"#
        )
        for slug in ["creditcard/3dsecureusercancelled", "creditcard/3DSecureUserCanceled"] {
            #expect(advice(spelled, slug, 403).actor == .merchant)
        }
    }

    @Test func `an override of a type that Swish shares needs the family`() throws {
        #expect(throws: ProblemCatalogueError.self) {
            try overridden(#"[{"slug":"inputerror","actor":"psp"}]"#)
        }
        let changed = try overridden(#"[{"slug":"inputerror","family":"swish","actor":"psp"}]"#)
        #expect(advice(changed, "inputerror", 400, .swish).actor == .psp)
        #expect(advice(changed, "inputerror", 400, .card).actor == .merchant)
    }

    @Test func `a merchant's own problem type is added as a row`() throws {
        let type = "https://shop.example/problems/closed"
        let row = """
            {"type":"\(type)","status":503,"family":"shop","actor":"merchant",
            "class":"sameRequest","newAttempt":"none","delaySeconds":30,"maximumTries":4,
            "payerMessage":"We are closed.","operatorMessage":"The shop is closed."}
            """
        let catalogue = try overridden("[\(row)]")
        #expect(catalogue.rows.count == bundled.rows.count + 1)
        let found = advice(catalogue, type, 503)
        #expect(found.isKnown && found.delay == .seconds(30) && found.actor == .merchant)
        #expect(!advice(bundled, type, 503).isKnown)
        // Only the whole type matches.
        #expect(!catalogue.advice(type: "closed", status: 503, instrument: nil).isKnown)
    }

    @Test func `the version identifies the changes in force`() throws {
        let text = #"[{"slug":"systemerror","family":"common","delaySeconds":2}]"#
        // The beginning of `sha256sum`'s output.
        #expect(try overridden(text).version == bundled.version + "+9022d560b8f5")
        #expect(try overridden(text + "\n").version != overridden(text).version)
    }

    @Test func `overriding with the bundled rows changes nothing`() throws {
        let (catalogue, changes) = try bundled.overriding(by: PackageResources.problems_json)
        #expect(catalogue.rows == bundled.rows)
        #expect(changes.count == 112 && changes.allSatisfy { $0.effect == .nothing })
        let mixed = try bundled.overriding(
            by: Array(#"[{"slug":"trustly/systemerror","maximumTries":5}]"#.utf8)
        )
        #expect(mixed.changes.map(\.effect) == [.changes])
    }

    @Test(arguments: [
        ("", "not JSON"), ("{}", "not a list"), ("[1]", "row 1"),
        ("[{}]", "neither a type nor a slug"),
        (#"[{"slug":"trustly/systemerror"},{"slug":"a b"}]"#, "row 2"),
        (#"[{"slug":"trustly/systemerror","actor":"nobody"}]"#, "payer, merchant, psp"),
        (#"[{"slug":"trustly/systemerror","delay":1}]"#, "there is no member 'delay'"),
        (#"[{"slug":"trustly/systemerror","delaySeconds":-1}]"#, "delaySeconds"),
        (#"[{"slug":"trustly/systemerror","delaySeconds":301}]"#, "at most 300"),
        (#"[{"slug":"trustly/systemerror","delaySeconds":"5s"}]"#, "delaySeconds"),
        (#"[{"slug":"trustly/systemerror","maximumTries":0}]"#, "maximumTries"),
        (#"[{"slug":"trustly/systemerror","payerMessage":""}]"#, "payerMessage"),
        (#"[{"slug":"trustly/systemerror","class":"never","maximumTries":3}]"#, "repeated"),
        (#"[{"slug":"trustly/systemerror","class":"never","newAttempt":"any"}]"#, "contradict"),
        (
            #"[{"slug":"trustly/systemerror","class":"askFirst","retrySameRequest":false}]"#,
            "contradict"
        ),
        (#"[{"slug":"trustly/systemerror","class":"askFirst","askFirst":false}]"#, "contradict"),
        (#"[{"slug":"trustly/nothing","actor":"psp"}]"#, "needs class"),
        (#"[{"slug":"trustly/systemerror","status":403,"actor":"psp"}]"#, "needs class"),
        (#"[{"type":"systemerror","actor":"psp"}]"#, "not a URL"),
        (#"[{"type":"about:blank","actor":"psp"}]"#, "about:blank"),
        (#"[{"slug":"trustly/systemerror","slug":"x","actor":"psp"}]"#, "two members"),
        (
            #"[{"slug":"trustly/systemerror","actor":"psp"},{"slug":"trustly/SystemError"}]"#,
            "same row"
        ),
    ])
    func `an invalid override is refused with a message that names the mistake`(
        text: String,
        words: String
    ) {
        let error = #expect(throws: ProblemCatalogueError.self) { try overridden(text) }
        #expect("\(error.map { "\($0)" } ?? "")".contains(words))
    }

    @Test func `an override with too many rows or bytes is refused`() {
        let rows = [String](repeating: #"{"slug":"x"}"#, count: CatalogueRow.maximumRows + 1)
        for text in [
            "[\(rows.joined(separator: ","))]",
            String(repeating: " ", count: CatalogueRow.maximumBytes + 1),
        ] {
            let error = #expect(throws: ProblemCatalogueError.self) { try overridden(text) }
            #expect(error?.code == "problems.unreadable")
        }
    }
}
