import EventLog
import SwedbankPay
import Testing
import Workflow

@testable import SwedbankPayHTTP

/// Values of responses that no event can contain: they never stop a payment unless they are needed.
@Suite struct UnusableValueTests {
    /// The least number that an event can't contain.
    private static let large = "9007199254740992"

    private func outcome(_ text: String) async throws -> ProviderResponse.Outcome {
        let transport = RespondingTransport { _ in .json(text) }
        var request = try RequestBench().request(
            .order,
            .orderQuery(id: OrderFixture.id, expanding: []),
            address: ""
        )
        request.gateway = GatewayAccess(gateway: .psp, root: "https://api.payex.com/")
        let provider = SwedbankPayProvider(
            transport: transport,
            access: OrderAccess(accessToken: { _ in "token-1" })
        )
        return await provider.perform(request).outcome
    }

    private func paid(_ text: String, _ replacement: String) throws -> String {
        try #require(OrderFixture.paid.contains(text), "\(text)")
        return OrderFixture.paid.replacing(text, with: replacement)
    }

    private func isWritable(_ order: OrderSnapshot) -> Bool {
        var writer = CanonicalWriter()
        OrderFetched(cause: .order, digest: .zero, durationMilliseconds: nil, order: order)
            .write(to: &writer)
        return writer.isExact
    }

    @Test func `a number that is only shown is left out when no event can contain it`() async throws
    {
        let outcome = try await outcome(paid("222222222", Self.large))
        guard case .order(let order, 200) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(order.number == nil && order.status == .paid && order.paid?.amount == 12_500)
        #expect(isWritable(order))
    }

    @Test(arguments: [Self.large, "-9007199254740992", "1e300", "12500.5", "\"9007199254740992\""])
    func `an amount that no event can contain makes the response unusable`(
        amount: String
    ) async throws {
        let outcome = try await outcome(paid("\"amount\":12500", "\"amount\":\(amount)"))
        guard case .undecodable(200, _?) = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    @Test(arguments: [#"\ud83d"#, #"\ude00"#, #"\ud83d\u0041"#])
    func `half a surrogate pair in a text makes no order unreadable`(half: String) async throws {
        let outcome = try await outcome(
            paid(
                #""status":"Paid""#,
                #""status":"Paid","description":"\#(half)","aborted":{"abortReason":"a\#(half)"}"#
            )
        )
        guard case .order(let order, 200) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(order.status == .paid)
    }

    @Test func `characters that do not exist become U+FFFD where text is repaired`() throws {
        func parse(_ bytes: [UInt8]) throws -> ForeignJSON {
            try ForeignJSON(parsing: bytes, maximumDepth: 4, repairsText: true)
        }
        #expect(try parse(Array(#""a\ud83db""#.utf8)) == "a\u{FFFD}b")
        #expect(try parse(Array(#""\ude00""#.utf8)) == "\u{FFFD}")
        #expect(try parse(Array(#""\ud83d\u0041""#.utf8)) == "\u{FFFD}A")
        #expect(try parse(Array(#""\ud83d\ud83d\ude00""#.utf8)) == "\u{FFFD}😀")
        #expect(try parse([0x22, 0xC3, 0x22]) == "\u{FFFD}")
        #expect(throws: (any Error).self) { try parse(Array(#""\u12""#.utf8)) }
    }
}
