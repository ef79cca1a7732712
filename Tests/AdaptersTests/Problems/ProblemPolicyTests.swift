import EventLog
import Foundation
import Inspection
import SwedbankPay
import Testing
import WorkflowTesting

@testable import SwedbankPayHTTP

/// Every kind of problem in the catalogue, wherever it can occur, leads to the documented next
/// step.
@Suite struct ProblemPolicyTests {
    /// A row of the data, read independently of the program.
    struct Documented: CustomTestStringConvertible, Sendable {
        let slug: String
        let status: Int
        let family: String
        let actor: String
        let retryClass: String
        let newAttempt: String
        let maximumTries: Int
        let payerMessage: String

        var testDescription: String { "\(slug) \(status)" }
        var repeats: Bool { ["sameRequest", "askFirst"].contains(retryClass) }
        var meansStaleView: Bool { slug == "paymentsessions/operationnotallowed" }
        var choice: ChoiceRequest { family == "swish" ? .swish(msisdn: nil) : .card(rank: 1) }
        var opened: Snapshot {
            .withSwishAndCard.expanding(family == "swish" ? .swish : .creditCard)
        }
        var refusal: ProviderResponse.Outcome { .refused(status, .sample(slug)) }

        init(_ row: [String: Any]) {
            slug = row["slug"] as? String ?? ""
            status = row["status"] as? Int ?? 400
            family = row["family"] as? String ?? ""
            actor = row["actor"] as? String ?? ""
            retryClass = row["class"] as? String ?? ""
            newAttempt = row["newAttempt"] as? String ?? ""
            maximumTries = row["maximumTries"] as? Int ?? 0
            payerMessage = row["payerMessage"] as? String ?? ""
        }
    }

    static let rows: [Documented] = {
        let json = try? JSONSerialization.jsonObject(with: Data(PackageResources.problems_json))
        return (json as? [[String: Any]] ?? []).map { Documented($0) }
    }()

    /// The types that have a row of their own for Swish.
    private static let sharedWithSwish = [
        "inputerror", "systemerror", "configerror", "usercancelled",
    ]

    private func payment() -> DeciderSpec {
        DeciderSpec(decider: SessionDecider(catalogue: .bundled)) { text, place in
            Issue.record(
                Comment(rawValue: text),
                sourceLocation: SourceLocation(
                    fileID: place.fileID,
                    filePath: place.filePath,
                    line: place.line,
                    column: place.column
                )
            )
        }
    }

    private func count(_ rel: Rel, _ spec: DeciderSpec) -> Int {
        spec.requests.count { $0.sent.rel == rel }
    }

    /// Checks what the client is shown of the current problem.
    private func check(_ row: Documented, _ spec: DeciderSpec) {
        let view = SessionView(spec.state, by: spec.decider, disclosing: .masked)
        let problem = view.problem?.problem
        #expect(problem?.type == ProblemCatalogue.typePrefix + row.slug)
        #expect(problem?.actor.rawValue == row.actor)
        #expect(problem?.isRetryable == row.repeats)
        // The row's advice on another attempt is shown only while no money can have been taken.
        let isOpen = spec.state.money.standing == .intended
        let newAttempt = isOpen ? row.newAttempt : "none"
        #expect(view.advice?.newAttempt.rawValue == newAttempt)
        #expect(view.json["problem"]?["newAttempt"] == .string(newAttempt))
        guard isOpen else {
            #expect(view.advice?.payerMessage.contains("do not pay again") == true)
            return
        }
        #expect(view.advice?.payerMessage == row.payerMessage)
        #expect(view.json["problem"]?["payerMessage"] == .string(row.payerMessage))
    }

    @Test func `the table has every row of the catalogue`() {
        #expect(Self.rows.count == 112 && ProblemCatalogue.bundled.rows.count == 112)
        #expect(Set(Self.rows.map(\.retryClass)) == Set(RetryClass.allCases.map(\.rawValue)))
    }

    @Test(arguments: rows)
    func `a failed attempt is acknowledged, and the payer is shown what to do next`(row: Documented)
    {
        var problem = SessionProblem.sample(row.slug)
        problem.status = row.status
        let spec = payment().expanded(row.choice)
            .when(response: row.choice.instrument == .swish ? .swishUnderWay : .cardUnderWay)
            .when(response: Snapshot.withSwishAndCard.with(problem))
        spec.then(types: "fetched", "problem").hasPending(.acknowledgeFailedAttempt)
        check(row, spec)
        // Whatever the problem was, the engine starts nothing by itself.
        let done = spec.when(outcome: .empty(status: 204)).when(response: .withSwishAndCard)
        done.hasNoPendingRequest().isSettled()
        #expect(count(.startPaymentAttempt, done) == 1)
    }

    @Test(arguments: rows)
    func `a refused start is repeated as often as its row allows, each time after reconciling`(
        row: Documented
    ) {
        var spec = payment().expanded(row.choice).when(outcome: row.refusal)
        if row.meansStaleView {
            spec.then(types: "operationFailed").hasPending(.session, in: .seconds(1))
                .when(response: row.opened).hasPending(.startPaymentAttempt)
            return
        }
        guard row.repeats || row.status >= 500 else {
            spec.then(types: "operationFailed", "problem").hasPending(.session, in: .zero)
            check(row, spec)
            spec = spec.when(response: .withSwishAndCard).hasNoPendingRequest().isSettled()
            #expect(count(.startPaymentAttempt, spec) == 1 && spec.state.payment?.attempt == nil)
            return
        }
        for _ in 1..<row.maximumTries {
            spec.then(types: "operationFailed").hasPending(.session, in: .seconds(1))
            spec = spec.when(response: row.opened)
            spec.hasPending(.startPaymentAttempt)
            spec = spec.when(outcome: row.refusal)
        }
        spec = spec.when(response: row.opened)
        spec.then(types: "fetched", "problem").hasNoPendingRequest().isSettled()
        #expect(count(.startPaymentAttempt, spec) == row.maximumTries)
        check(row, spec)
    }

    @Test(arguments: rows)
    func `a refused read is repeated as often as its row allows`(row: Documented) {
        // Without an attempt, Swish's types cannot be distinguished from the common ones.
        guard row.family != "swish" || !Self.sharedWithSwish.contains(row.slug) else {
            return
        }
        var spec = payment().ready().when(.returned(.original)).when(outcome: row.refusal)
        if row.status == 404 {
            spec.then(types: "operationFailed", "expired").ended(.expired)
            return
        }
        let before = count(.session, spec)
        let tries = row.meansStaleView ? 2 : row.maximumTries
        for _ in 1..<tries {
            spec.then(types: "operationFailed").hasPending(.session, in: .seconds(1))
            spec = spec.when(outcome: row.refusal)
        }
        spec.then(types: "operationFailed", "problem").hasNoPendingRequest().isSettled()
        #expect(count(.session, spec) == before + tries - 1)
        check(row, spec)
    }

    @Test(arguments: rows)
    func `a start refused with 503 is reconciled, whatever its row says`(row: Documented) {
        // Whatever the body says, the status means that the outcome is unknown.
        let outcome = ProviderResponse.Outcome.refused(503, .sample(row.slug))
        let spec = payment().expanded(row.choice).when(outcome: outcome)
        spec.then(.failed(.startPaymentAttempt, retries: true))
            .hasPending(.session, in: .seconds(1))
        #expect(spec.state.payment?.attempt != nil)
        spec.when(response: .paid).ended(.completed)
    }

    @Test func `a session that is not found on opening is read once more`() {
        let refusal = ProviderResponse.Outcome.refused(404, .sample("notfound"))
        let opening = payment().when(.open(.sample())).when(outcome: refusal)
        opening.then(.failed(.session, retries: true)).hasPending(.session, in: .seconds(1))
        opening.when(outcome: refusal).then(types: "operationFailed", "problem")
            .hasNoPendingRequest()
        opening.when(response: .unprepared).when(response: .withSwishAndCard).isSettled()
    }
}
