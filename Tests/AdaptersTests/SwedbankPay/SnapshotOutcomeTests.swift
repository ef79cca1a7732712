import EventLog
import SwedbankPay
import Testing
import Workflow

@testable import Adapters

/// What a response says of failed attempts, and of where the payer goes.
extension SnapshotTests {
    @Test func `a failed attempt is read with its acknowledge operation`() async throws {
        let (snapshot, secrets) = try await bench.snapshot(
            #"""
            {"paymentSession":{},"problem":{"type":"https://api.payex.com/psp/errordetail/creditcard/carddeclined",
              "title":"Card declined","status":403,"detail":"card 4761739001010416",
              "operation":{"rel":"acknowledge-failed-attempt","method":"POST","href":"https://h/ack"}}}
            """#
        )
        let problem = try #require(snapshot.problem)
        #expect(problem.type.hasSuffix("creditcard/carddeclined") && problem.status == 403)
        #expect(problem.title == .plain("Card declined"))
        guard case .sealed(let detail)? = problem.detail else {
            Issue.record("the card number was left in the clear")
            return
        }
        #expect(secrets[detail] == "card 4761739001010416")
        #expect(problem.acknowledge?.rel == .acknowledgeFailedAttempt)
    }

    @Test func `a failed attempt without a usable type is still a failed attempt`() async throws {
        let (snapshot, _) = try await bench.snapshot(
            #"{"paymentSession":{},"problem":{"type":17,"status":"409"}}"#
        )
        #expect(snapshot.problem?.type == "about:blank" && snapshot.problem?.status == 409)
    }

    @Test func `a redirect is matched against the order's URLs, also those known earlier`()
        async throws
    {
        let body =
            #"{"paymentSession":{"urls":{"cancelUrl":"https://s/x"}},"operations":[{"rel":"redirect-payer","href":"https://S/done/?ref=1","next":true}]}"#
        let (stranger, _) = try await bench.snapshot(body)
        #expect(stranger.operations.first?.target == .elsewhere(host: "s"))
        let (known, _) = try await bench.snapshot(
            body,
            knownURLs: OrderURLs(complete: "https://s/done")
        )
        #expect(known.operations.first?.target == .complete)
        #expect(known.urls.complete == nil)
    }
}
