import Adapters
import Foundation
import Testing
import WorkflowTesting

@testable import Workflow
@testable import workflowctl

/// The report page says of the payer and of the money what the view and the story say, at every prefix.
@Suite struct ReportPageTests {
    private static let decider = SessionDecider(catalogue: .bundled)

    /// The log of a payment as far as an event.
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

    /// What people read at the head of the page.
    static func head(of html: String) throws -> String {
        let text = try #require(html.firstMatch(of: /<p id="story">(.*?)<\/p>/)?.1)
        return String(text).replacing("&quot;", with: "\"").replacing("&#39;", with: "'")
            .replacing("&lt;", with: "<").replacing("&gt;", with: ">")
            .replacing("&amp;", with: "&")
    }

    /// The rows of the page's table of a view, as its script shows them.
    static func rows(of html: String, at place: Int) throws -> [String: String] {
        let text = try #require(
            html.firstMatch(
                of: /<script type="application\/json" id="report-data">(.*?)<\/script>/
            )?
            .1
        )
        let data = try JSONValue(parsing: Array(text.utf8))
        guard case .array(let rows)? = data["rows"], case .array(let views)? = data["views"],
            case .array(let view) = views[place]
        else { throw CancellationError() }
        var found: [String: String] = [:]
        for case .integer(let number) in view {
            guard case .array(let row) = rows[Int(number)], case .string(let path) = row[0],
                case .string(let value) = row[1]
            else { continue }
            found[path] = value
        }
        return found
    }

    private static func text(_ value: JSONValue?) -> String? {
        switch value {
        case .string(let text): text
        case .integer(let number): "\(number)"
        case .bool(let flag): flag ? "true" : "false"
        default: nil
        }
    }

    @Test(arguments: SupportCase.allCases)
    func `the page tells the payer and of the money what view and story tell`(
        _ story: SupportCase
    ) throws {
        let payment = story.payment(by: Self.decider)
        let whole = ReportPage(try Self.log(payment, to: payment.events.count), by: Self.decider)
        for end in 1...payment.events.count {
            let told = Story(
                of: payment.state.session,
                telling: payment.events.prefix(end),
                by: Self.decider
            )
            let view = SessionView(told.state, by: Self.decider, disclosing: .masked).json
            let page = ReportPage(try Self.log(payment, to: end), by: Self.decider).html
            let head = try Self.head(of: page)
            let place: Comment = "\(story) at \(end): \(head)"
            let message = Self.text(view["payer"]?["message"])
            let quoted = head.firstMatch(of: /The payer may be told: "(.*)"$/)?.1
            #expect(quoted.map(String.init) == message, place)
            #expect(message == StoryEnd(told).payerMessage, place)
            #expect(head.contains(MoneyWords(told.state.money).sentences), place)
            // The view of this place is shown alike by the page of the whole log.
            for html in [page, whole.html] {
                let rows = try Self.rows(of: html, at: end)
                #expect(rows["payer.message"] == message, place)
                #expect(rows["payer.newAttempt"] == Self.text(view["payer"]?["newAttempt"]), place)
                for member in ["standing", "amount", "currency", "paid", "net", "verification"] {
                    let shown = rows["money.\(member)"]
                    #expect(shown == Self.text(view["money"]?[member]), place)
                }
            }
        }
    }
}
