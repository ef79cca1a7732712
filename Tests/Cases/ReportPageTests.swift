import Adapters
import Foundation
import TestSupport
import Testing
import WorkflowTesting

@testable import EventLog
@testable import Inspection
@testable import SwedbankPay
@testable import workflowctl

/// The report page agrees with the view and the story about the payer and the money, at every
/// prefix.
@Suite struct ReportPageTests {
    private static let decider = SessionDecider(catalogue: .bundled)

    /// Returns the log of a payment up to an event.
    static func log(_ payment: CasePayment, to end: Int) throws -> SessionLog {
        var head = StreamHead.empty
        var records: [StoredRecord] = []
        for event in payment.events.prefix(end) {
            let record = try RecordWriter.unsealedRecord(event, after: head)
            head = StreamHead(sequence: record.sequence, hash: record.hash)
            records.append(record)
        }
        return try SessionLog(payment.state.session, records)
    }

    /// Returns the text between two marks.
    private static func part(
        of html: String,
        from begin: String,
        to end: String
    ) throws -> Substring {
        let first = try #require(html.range(of: begin)).upperBound
        let last = try #require(html.range(of: end, range: first..<html.endIndex)).lowerBound
        return html[first..<last]
    }

    /// Returns the text at the head of the page.
    static func head(of html: String) throws -> String {
        let text = try part(of: html, from: "<p id=\"story\">", to: "</p>")
        return String(text).replacing("&quot;", with: "\"").replacing("&#39;", with: "'")
            .replacing("&lt;", with: "<").replacing("&gt;", with: ">")
            .replacing("&amp;", with: "&")
    }

    /// Returns the rows of the page's table of the view at each sequence number, as its script
    /// shows them.
    static func rows(of html: String) throws -> [[String: String]] {
        let text = try part(of: html, from: "id=\"report-data\">", to: "</script>")
        let data = try JSONValue(parsing: Array(text.utf8))
        guard case .array(let list)? = data["rows"], case .array(let views)? = data["views"]
        else { throw CancellationError() }
        let rows = list.map { row -> (path: String, value: String) in
            guard case .array(let row) = row, case .string(let path) = row[0],
                case .string(let value) = row[1]
            else { return ("", "") }
            return (path, value)
        }
        return views.map { view in
            guard case .array(let numbers) = view else { return [:] }
            return numbers.reduce(into: [:]) { found, number in
                guard case .integer(let number) = number else { return }
                found[rows[Int(number)].path] = rows[Int(number)].value
            }
        }
    }

    private static func text(_ value: JSONValue?) -> String? {
        switch value {
        case .string(let text): text
        case .integer(let number): "\(number)"
        case .bool(let flag): flag ? "true" : "false"
        default: nil
        }
    }

    @Test(.tags(.repeatedThoroughly), arguments: SupportCase.allCases)
    func `the report page shows the same payer message and money as view and story`(
        _ story: SupportCase
    ) throws {
        let payment = story.payment(by: Self.decider)
        let last = payment.events.count
        let whole = ReportPage(
            try Self.log(payment, to: last),
            by: Self.decider,
            madeBy: "workflowctl"
        ).html
        let views = try Self.rows(of: whole)
        #expect(views.count == last + 1)
        // In the fast tier some prefixes of each case, and the whole.
        for end in 1...last where Tier.isThorough || end % 5 == 0 || end == last {
            let told = Story(
                of: payment.state.session,
                events: payment.events.prefix(end),
                by: Self.decider
            )
            let view = SessionView(told.state, by: Self.decider, disclosing: .masked).json
            let page = ReportPage(
                try Self.log(payment, to: end),
                by: Self.decider,
                madeBy: "workflowctl"
            ).html
            let head = try Self.head(of: page)
            let place: Comment = "\(story) at \(end): \(head)"
            let message = Self.text(view["payer"]?["message"])
            let quoted = head.firstMatch(of: /Tell the payer: "(.*)"$/)?.1
            #expect(quoted.map(String.init) == message, place)
            #expect(message == StoryEnd(told).payerMessage, place)
            #expect(head.contains(MoneyWords(told.state.money).sentences), place)
            // The page of the whole log shows the view at this sequence number in the same way.
            let rows = views[end]
            #expect(rows["payer.message"] == message, place)
            #expect(rows["payer.newAttempt"] == Self.text(view["payer"]?["newAttempt"]), place)
            for member in ["standing", "amount", "currency", "paid", "net", "verification"] {
                let shown = rows["money.\(member)"]
                #expect(shown == Self.text(view["money"]?[member]), place)
            }
        }
    }
}
