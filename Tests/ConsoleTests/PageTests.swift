import Adapters
import Console
import EventLog
import Foundation
import HTTPTypes
import Inspection
import LogFixtures
import Sandbox
import Service
import ServiceFixtures
import SwedbankPay
import TestSupport
import Testing

/// The pages in each of their states.
@Suite(.feature("S-45")) struct PageTests {
    // MARK: What needs a person

    @Test func `the first page has what waits for a person, or says that nothing does`()
        async throws
    {
        try await ServiceWorld.visit(as: "support") { world, visitor in
            let calm = try await visitor.open("/console/")
            #expect(calm.status == 200)
            #expect(calm.words.contains("Nothing needs a person now."))
            let session = try await world.open().session
            // The response to the start of the payment is lost, and the PSP cannot be read.
            await world.sandbox.injectFaults(
                with: ["start-payment-attempt", "session", "get-payment"].map {
                    Fault(rel: $0, requests: .every, kind: .reset)
                }
            )
            var now: HTTPFields = [:]
            now[try #require(HTTPField.Name("Prefer"))] = "wait=3"
            _ = try await world.send(
                .post,
                "/v1/sessions/\(session)/attempts",
                as: "driver",
                #"{"instrument": "swish"}"#,
                now
            )
            let page = try await visitor.open("/console/")
            #expect(page.words.contains("Unknown money: 1 payment"))
            #expect(page.links.contains("/console/payments/\(session)"))
            let queue = try await visitor.open("/console/at-risk")
            #expect(queue.words.contains("100.00 SEK"))
            #expect(
                queue.links.contains { $0.hasPrefix("/console/payments/\(session)/events?from=") }
            )
        }
    }

    // MARK: The list

    @Test func `an empty list says why, and what to do`() async throws {
        try await ServiceWorld.visit(as: "viewer") { _, visitor in
            let page = try await visitor.open("/console/payments")
            #expect(page.words.contains("No payments yet."))
            #expect(!page.text.contains("<table"))
            let filtered = try await visitor.open("/console/payments?money=unknown&turn=support")
            #expect(
                filtered.words.contains("No payment matches: money = unknown, turn = support.")
            )
            #expect(filtered.links.contains("/console/payments"))
        }
    }

    @Test func `the list has a payment's reference, money and whose move it is`() async throws {
        try await ServiceWorld.visit(as: "viewer") { world, visitor in
            let session = try await world.open().session
            let page = try await visitor.open("/console/payments")
            #expect(page.links.contains("/console/payments/\(session)"))
            #expect(page.words.contains("order-1"))
            #expect(page.words.contains("to be paid"))
            #expect(page.words.contains("the payer"))
        }
    }

    @Test func `a filter is part of the address, and shown as chosen`() async throws {
        try await ServiceWorld.visit(as: "viewer") { world, visitor in
            _ = try await world.open()
            for (query, count) in [
                ("turn=payer", 1), ("turn=merchant", 0), ("money=intended&outcome=", 1),
                ("reference=order-*", 1), ("reference=other", 0), ("since=2020-01-01", 1),
                ("until=2020-01-01", 0), ("open=false", 0),
            ] {
                let page = try await visitor.open("/console/payments?\(query)")
                let rows = page.text.matches(of: #/<tr role="row"><td/#).count
                #expect(rows == count, "\(query)")
            }
            let page = try await visitor.open("/console/payments?turn=payer")
            #expect(page.text.contains("value=\"payer\" selected"))
        }
    }

    @Test(arguments: ["money=gold", "since=yesterday", "color=red", "before=x"])
    func `a filter that cannot be is refused, and does not look like an empty list`(
        query: String
    ) async throws {
        try await ServiceWorld.visit(as: "viewer") { _, visitor in
            let page = try await visitor.open("/console/payments?\(query)")
            #expect(page.status == 400)
            #expect(page.words.contains("This was not understood"))
            #expect(!page.words.contains("No payment"))
        }
    }

    @Test func `a long list has pages, of which none repeats or leaves out a payment`()
        async throws
    {
        try await ServiceWorld.visit(as: "viewer") { world, visitor in
            for _ in 0..<55 { _ = try await world.open() }
            var (seen, address) = ([String](), Optional("/console/payments"))
            var pages = 0
            while let path = address, pages < 5 {
                let page = try await visitor.open(path)
                pages += 1
                seen += page.links.filter { $0.firstMatch(of: #/payments\/[0-9a-f-]{36}$/#) != nil }
                address = page.links.first { $0.contains("before=") }
            }
            #expect(pages == 2)
            #expect(seen.count == 55)
            #expect(Set(seen).count == 55)
        }
    }

    // MARK: Search

    @Test func `the only hit is shown at once, and several are listed with where they were found`()
        async throws
    {
        try await ServiceWorld.visit(as: "support") { world, visitor in
            let first = try await world.open().session
            let only = try await visitor.send("/console/search", ["text": "order-1"])
            #expect(only.fields[.location] == "/console/payments/\(first)")
            let second = try await world.open().session
            let several = try await visitor.send("/console/search", ["text": "order-1"])
            #expect(several.status == 200)
            for session in [first, second] {
                #expect(several.links.contains("/console/payments/\(session)"))
            }
            #expect(several.words.contains("reference: order-1"))
            #expect(several.words.contains("2 payments found."))
        }
    }

    @Test func `nothing found, a text that is too short and a whole card number say what they are`()
        async throws
    {
        try await ServiceWorld.visit(as: "support") { _, visitor in
            let none = try await visitor.send("/console/search", ["text": "nowhere"])
            #expect(none.status == 200)
            #expect(none.words.contains("Nothing was found."))
            for text in ["ab", "4761739001010416"] {
                let refused = try await visitor.send("/console/search", ["text": text])
                #expect(refused.status == 422)
                #expect(refused.words.contains("usage.find"))
                #expect(!refused.text.contains("4761739001010416"))
            }
            #expect(try await visitor.open("/console/search").status == 200)
        }
    }

    // MARK: A payment

    @Test func `a payment tells its story, each sentence with the events behind it`() async throws {
        try await ServiceWorld.visit(as: "auditor") { world, visitor in
            let session = try await world.importLog(
                GoldenLogs.text("payment-declined-then-swish")
            )
            let page = try await visitor.open("/console/payments/\(session)")
            #expect(page.status == 200)
            #expect(page.words.contains("Paid, probably with Swish."))
            #expect(page.words.contains("The payer chose Swish"))
            #expect(page.words.contains("Tell the payer"))
            let log = try GoldenLogs.log(in: GoldenLogs.text("payment-declined-then-swish"))
            let story = Story(of: session, events: log.events, by: world.node.engine.decider)
            let evidence = page.links.filter { $0.contains("/events?from=") }
            #expect(evidence.count >= story.sentences.count)
            for link in Set(evidence) {
                let events = try await visitor.open(link)
                #expect(events.status == 200)
                #expect(events.text.contains("<details id=\"e"))
                #expect(events.text.contains(" open><summary>"))
            }
        }
    }

    @Test(arguments: GoldenLogs.names)
    func `every kept log can be shown in all of its parts`(name: String) async throws {
        try await ServiceWorld.visit(as: "auditor") { world, visitor in
            let session = try await world.importLog(GoldenLogs.text(name))
            for part in [
                "", "/timeline", "/timeline?all=true", "/replay", "/replay?at=0", "/replay?at=3",
                "/diagram", "/events", "/proof",
            ] {
                let page = try await visitor.open("/console/payments/\(session)\(part)")
                #expect(page.status == 200, "\(part)")
                #expect(page.words.contains("opened in another installation"), "\(part)")
            }
        }
    }

    @Test func `no text of the PSP or the merchant becomes markup`() async throws {
        try await ServiceWorld.visit(as: "auditor") { world, visitor in
            let session = try await world.importLog(GoldenLogs.hostileText())
            for part in ["", "/timeline", "/replay", "/diagram", "/events", "/proof"] {
                let page = try await visitor.open("/console/payments/\(session)\(part)")
                #expect(page.status == 200)
                #expect(page.text.matches(of: #/<script/#).count == 1, "\(part)")
                #expect(
                    !page.text.contains("\u{202E}") && !page.text.contains("javascript:alert(1)\"")
                )
            }
            let list = try await visitor.open("/console/payments")
            #expect(list.text.matches(of: #/<script/#).count == 1)
        }
    }

    @Test func `a replay shows the state after any event, and what the event changed`()
        async throws
    {
        try await ServiceWorld.visit(as: "viewer") { world, visitor in
            let session = try await world.importLog(GoldenLogs.text("payment-swish-this-device"))
            let address = "/console/payments/\(session)/replay"
            let first = try await visitor.open("\(address)?at=1")
            #expect(first.words.contains("opened"))
            #expect(
                first.links.contains("\(address)?at=0") && first.links.contains("\(address)?at=2")
            )
            let last = try await visitor.open(address)
            #expect(last.words.contains("completed"))
            #expect(last.text.contains("change-changed"))
            for wrong in ["999", "-1", "x"] {
                let page = try await visitor.open("\(address)?at=\(wrong)")
                #expect(page.status == 200)
                #expect(page.words.contains("The log has no such event"))
            }
        }
    }

    @Test func `an event of an unknown type is shown as it was recorded`() async throws {
        try await ServiceWorld.visit(as: "viewer") { world, visitor in
            let session = try await world.importLog(
                Forge.rechained(
                    GoldenLogs.text("payment-swish-this-device"),
                    changing: "methodsOffered",
                    to: "methodsDreamt"
                )
            )
            let page = try await visitor.open("/console/payments/\(session)")
            #expect(page.words.contains("1 event is of a type that this version does not know"))
            #expect(page.words.contains("methodsDreamt"))
            let events = try await visitor.open("/console/payments/\(session)/events")
            let opened = try #require(events.text.firstMatch(of: #/<details id="e\d+" open>/#))
            #expect(events.text[opened.range.upperBound...].prefix(200).contains("methodsDreamt"))
        }
    }

    @Test func `an erased payment says that it was, and shows what is left`() async throws {
        try await ServiceWorld.visit(as: "auditor") { world, visitor in
            let session = try await world.open().session
            let before = try await visitor.open("/console/payments/\(session)")
            #expect(!before.words.contains("were erased"))
            try await world.erase(session)
            for part in ["", "/timeline", "/replay", "/events", "/proof"] {
                let page = try await visitor.open("/console/payments/\(session)\(part)")
                #expect(page.status == 200)
                #expect(page.words.contains("The personal values of this payment were erased"))
            }
            let proof = try await visitor.open("/console/payments/\(session)/proof")
            #expect(proof.words.contains("Who wrote the records cannot be shown here"))
        }
    }

    @Test(
        arguments: [
            "UPDATE events SET hash = zeroblob(32) WHERE seq = 2",
            "UPDATE events SET prev = zeroblob(32) WHERE seq = 3",
            "DELETE FROM events WHERE seq = 2",
        ]
    )
    func `of an altered log nothing is told, and the page says so`(sql: String) async throws {
        try await ServiceWorld.visit(as: "auditor") { world, visitor in
            let session = try await world.importLog(GoldenLogs.text("payment-swish-this-device"))
            try world.alter(sql)
            for part in ["", "/timeline", "/replay", "/diagram", "/events", "/proof"] {
                let page = try await visitor.open("/console/payments/\(session)\(part)")
                #expect(page.status == 500)
                #expect(page.words.contains("This log was altered or is damaged"))
                #expect(page.words.contains("workflowctl verify \(session)"))
                #expect(!page.words.contains("Swish"))
            }
        }
    }

    @Test func `of a log with a record that was not written with its key nothing is told`()
        async throws
    {
        try await ServiceWorld.visit(as: "auditor") { world, visitor in
            let session = try await world.open().session
            try world.alter("UPDATE events SET mac = zeroblob(32) WHERE seq = 2")
            let page = try await visitor.open("/console/payments/\(session)")
            #expect(page.status == 500)
            #expect(page.words.contains("This log was altered or is damaged"))
            #expect(page.words.contains("log.not-authentic"))
            #expect(!page.words.contains("What happened"))
        }
    }

    @Test func `what is not there is not found, in the reader's language`() async throws {
        try await ServiceWorld.visit(as: "auditor") { _, visitor in
            let unknown = "/console/payments/0193a5c0-0000-7000-8000-000000000000"
            for path in [unknown, unknown + "/story", "/console/payments/x", "/console/x/y/z"] {
                let page = try await visitor.open(path)
                #expect(page.status == 404, "\(path)")
                #expect(page.words.contains("There is no such page or payment"))
            }
            visitor.languages = "sv"
            let page = try await visitor.open(unknown)
            #expect(page.words.contains("Sidan eller betalningen finns inte"))
            #expect(page.text.contains("<html lang=\"sv\">"))
        }
    }

    @Test func `a store that cannot be read is no empty list`() async throws {
        try await ServiceWorld.visit(as: "auditor") { world, visitor in
            _ = try await world.open()
            await world.node.store.close()
            let page = try await visitor.open("/console/payments")
            #expect(page.status == 503)
            #expect(page.words.contains("Not available now"))
            #expect(!page.words.contains("No payment"))
        }
    }

    // MARK: Money and proof

    @Test func `without unknown money the queue says so, above the money that is known`()
        async throws
    {
        try await ServiceWorld.visit(as: "support") { world, visitor in
            _ = try await world.open()
            let page = try await visitor.open("/console/at-risk")
            #expect(page.status == 200)
            #expect(page.words.contains("No payment has unknown money"))
            #expect(page.words.contains("to be paid"))
        }
    }

    @Test func `a proof names the hash of the last record, and the files to check it elsewhere`()
        async throws
    {
        try await ServiceWorld.visit(as: "auditor") { world, visitor in
            let session = try await world.open().session
            let id = try #require(SessionID(session))
            let address = "/console/payments/\(session)"
            let page = try await visitor.open("\(address)/proof")
            #expect(page.words.contains("Every record was written with this payment's key"))
            #expect(page.words.contains("No checkpoint covers it yet"))
            let file = try await visitor.open("\(address)/log.ndjson")
            #expect(file.fields[.contentType] == "application/x-ndjson")
            let last = try #require(file.text.split(separator: "\n").last)
            let record = try LogLine.decode(Array(last.utf8))
            #expect(record.stream == id)
            #expect(record.seals.isEmpty)
            #expect(page.text.contains("\(record.hash)"))
            #expect(try await visitor.open("\(address)/proof.json").status == 409)
        }
    }

    @Test func `the pages are in Swedish for who chose it`() async throws {
        try await ServiceWorld.visit(as: "support") { world, visitor in
            _ = try await world.open()
            let reply = try await visitor.send(
                "/console/language",
                ["language": "sv", "next": "/console/payments"]
            )
            #expect(reply.fields[.location] == "/console/payments")
            let page = try await visitor.open("/console/payments")
            #expect(page.words.contains("Betalningar") && page.words.contains("ska betalas"))
            #expect(!page.words.contains("to be paid"))
        }
    }
}
