import Adapters
import EventLog
import Foundation
import HTTPTypes
import Inspection
import Service
import ServiceFixtures
import SwedbankPay
import TestSupport
import Testing

@testable import Console

/// What people do on pages: by the endpoints of the API, on what they were shown.
@Suite(.feature("S-46"), .threat("T-71")) struct ActingTests {
    /// The hidden fields of the page on which something is confirmed.
    private func hidden(_ page: Visitor.Shown) -> [String: String] {
        var fields: [String: String] = [:]
        for match in page.text.matches(of: #/type="hidden" name="([a-z]+)" value="([^"]*)"/#) {
            if match.1 != "next" { fields[String(match.1)] = String(match.2) }
        }
        return fields
    }

    /// Opens the page of an act, and sends its form with more fields.
    private func act(
        _ act: Act,
        on session: String,
        _ fields: [String: String] = [:],
        by visitor: Visitor
    ) async throws -> Visitor.Shown {
        let address = "/console/payments/\(session)/\(act.rawValue)"
        let page = try await visitor.open(address)
        try #require(page.status == 200, "\(page.words)")
        return try await visitor.send(address, hidden(page).merging(fields) { $1 })
    }

    private func events(of session: String, in world: ServiceWorld) async throws -> [SessionEvent] {
        let id = try #require(SessionID(session))
        let records = try await world.node.store.read(id, from: 1, limit: 1000)
        return try SessionLog(id, records).events.map(\.event)
    }

    @Test func `a note is sealed, and stays in the history with its author's name`() async throws {
        try await ServiceWorld.visit(as: "support") { world, visitor in
            let session = try await world.open().session
            let text = "The payer sent a receipt & <b>waits</b>"
            let reply = try await act(.note, on: session, ["text": text], by: visitor)
            #expect(reply.status == 303)
            #expect(reply.fields[.location] == "/console/payments/\(session)")
            let notes = try await events(of: session, in: world).compactMap {
                if case .noteAdded(let note) = $0 { note.by } else { nil }
            }
            #expect(notes == ["support"])
            let page = try await visitor.open("/console/payments/\(session)")
            #expect(page.words.contains("support added a note"))
            #expect(!page.words.contains("receipt"))
        }
    }

    @Test func `what changed after the page was made is not acted on`() async throws {
        try await ServiceWorld.visit(as: "operator") { world, visitor in
            let session = try await world.open().session
            let address = "/console/payments/\(session)/abort"
            let form = hidden(try await visitor.open(address))
            _ = try await act(.note, on: session, ["text": "a note of somebody"], by: visitor)
            let late = try await visitor.send(address, form)
            #expect(late.status == 412)
            #expect(late.words.contains("The payment has changed"))
            let aborts = try await events(of: session, in: world).filter {
                if case .abortRequested = $0 { true } else { false }
            }
            #expect(aborts.isEmpty)
        }
    }

    @Test func `an abort is recorded with who wanted it and why`() async throws {
        try await ServiceWorld.visit(as: "operator") { world, visitor in
            let session = try await world.open().session
            let reply = try await act(
                .abort,
                on: session,
                ["reason": "The payer asked for it"],
                by: visitor
            )
            #expect(reply.status == 303)
            let page = try await visitor.open("/console/payments/\(session)")
            #expect(page.words.contains("operator requested an abort"))
            #expect(page.words.contains("The payer asked for it"))
            #expect(try await visitor.open("/console/payments/\(session)/abort").status == 409)
        }
    }

    @Test func `the PSP is read again by whoever asks for it`() async throws {
        try await ServiceWorld.visit(as: "operator") { world, visitor in
            let session = try await world.open().session
            let before = try await events(of: session, in: world).count
            #expect(try await act(.refetch, on: session, by: visitor).status == 303)
            #expect(try await events(of: session, in: world).count > before)
        }
    }

    @Test func `a capture says its amount in words before it is requested, and happens once`()
        async throws
    {
        try await ServiceWorld.visit(as: "operator") { world, visitor in
            let session = try await world.paidCheckout().session
            let address = "/console/payments/\(session)/capture"
            let first = try await act(
                .capture,
                on: session,
                ["amount": "25,50", "description": "Lamp"],
                by: visitor
            )
            #expect(first.status == 200)
            #expect(first.words.contains("twenty-five SEK and 50/100"))
            let form = hidden(first)
            #expect(form["amount"] == "25,50")
            let none = try await events(of: session, in: world).filter(\.isTransaction)
            #expect(none.isEmpty)
            let confirmed = form.merging(["confirmed": "yes"]) { $1 }
            #expect(try await visitor.send(address, confirmed).status == 303)
            // The same form again, as after a lost answer.
            #expect([303, 412].contains(try await visitor.send(address, confirmed).status))
            let made = try await events(of: session, in: world).filter(\.isTransaction)
            #expect(made.count == 1)
            let page = try await visitor.open("/console/payments/\(session)")
            #expect(page.words.contains("The merchant requested a capture of 25.50 SEK"))
            let refund = try await act(
                .reverse,
                on: session,
                ["amount": "25.50", "description": "Lamp"],
                by: visitor
            )
            #expect(refund.words.contains("Refund 25.50 SEK"))
        }
    }

    @Test(arguments: ["", "0", "-1", "1000000", "12.345", "1,2,3", "12,", "ten", "٣"])
    func `an amount that cannot be is refused, and what was written stays`(
        amount: String
    ) async throws {
        try await ServiceWorld.visit(as: "operator") { world, visitor in
            let session = try await world.paidCheckout().session
            let reply = try await act(
                .capture,
                on: session,
                ["amount": amount, "description": "A lamp", "confirmed": "yes"],
                by: visitor
            )
            #expect(reply.status == 422)
            #expect(reply.words.contains("Write an amount above zero"))
            #expect(reply.text.contains("value=\"A lamp\""))
            #expect(try await events(of: session, in: world).filter(\.isTransaction).isEmpty)
        }
    }

    @Test func `a reason that may not be recorded is refused, and what was written stays`()
        async throws
    {
        try await ServiceWorld.visit(as: "operator") { world, visitor in
            let session = try await world.open().session
            let reason = "see https://shop.example/secret"
            let reply = try await act(.abort, on: session, ["reason": reason], by: visitor)
            #expect(reply.status == 422)
            #expect(reply.words.contains("The reason cannot be recorded"))
            #expect(reply.text.contains("value=\"\(reason)\""))
        }
    }

    @Test func `who may only read is offered nothing, and can do nothing`() async throws {
        try await ServiceWorld.visit(as: "viewer") { world, visitor in
            let session = try await world.open().session
            let page = try await visitor.open("/console/payments/\(session)")
            #expect(!page.text.contains("class=\"actions\""))
            for act in Act.allCases {
                let address = "/console/payments/\(session)/\(act.rawValue)"
                #expect(try await visitor.open(address).status == 403)
                let form = [
                    "seen": "1", "key": "k", "text": "t", "reason": "r", "amount": "1",
                    "verdict": "paid", "evidence": "e", "confirmed": "yes", "description": "d",
                ]
                let reply = try await visitor.send(address, form)
                #expect([403, 422].contains(reply.status), "\(act)")
            }
        }
    }

    @Test func `a form without what its page put into it does nothing`() async throws {
        try await ServiceWorld.visit(as: "operator") { world, visitor in
            let session = try await world.open().session
            let address = "/console/payments/\(session)/abort"
            for form in [[:], ["key": "k"], ["seen": "5"], ["seen": "x", "key": "k"]] {
                #expect(try await visitor.send(address, form).status == 400)
            }
            let page = try await visitor.send("/console/payments/\(session)/dance", [:])
            #expect(page.status == 404)
        }
    }

    @Test(
        arguments: [
            (0, "zero SEK", "noll SEK"), (100, "one SEK", "ett SEK"),
            (1_050, "ten SEK and 50/100", "tio SEK och 50/100"),
            (64_900, "six hundred and forty-nine SEK", "sexhundrafyrtionio SEK"),
            (
                123_456_700,
                "one million two hundred and thirty-four thousand five hundred and sixty-seven SEK",
                "en miljon tvåhundratrettiofyra tusen femhundrasextiosju SEK"
            ), (2_000_000, "twenty thousand SEK", "tjugo tusen SEK"),
        ]
    )
    func `amounts are spelled`(minorUnits: Int64, english: String, swedish: String) {
        let amount = Amount(minorUnits)
        #expect(Words(language: .english).spelled(amount, "SEK") == english)
        #expect(Words(language: .swedish).spelled(amount, "SEK") == swedish)
    }
}

extension SessionEvent {
    /// Whether a capture, cancellation or reversal was requested.
    fileprivate var isTransaction: Bool {
        if case .checkout(.transactionRequested) = self { true } else { false }
    }
}
