import EventLog
import Inspection
import SwedbankPay
import Testing

/// The texts of problems, which logs do not contain.
@Suite struct ProblemTextTests {
    private func problem(
        _ kind: EngineProblemKind?,
        code: String? = nil,
        subject: String? = nil,
        rel: Rel? = nil,
        actor: Actor = .psp
    ) -> Problem {
        Problem(
            origin: .engine,
            kind: kind,
            code: code,
            subject: subject,
            isRetryable: true,
            actor: actor,
            rel: rel
        )
    }

    private func texts(_ problem: Problem) -> [String?] {
        [problem.title(disclosing: .masked), problem.detail(disclosing: .masked)]
    }

    @Test func `each cause and kind has a text of its own, and the request and subject are named`()
    {
        #expect(
            texts(problem(.requestFailed, code: "http.timeout", rel: .abortPayment))
                == ["The request abort-payment failed", "http.timeout"]
        )
        #expect(
            texts(problem(.requestFailed, code: "engine.secret-missing", rel: .abortPayment))
                == ["The address of abort-payment can't be opened", "engine.secret-missing"]
        )
        #expect(
            texts(problem(.configurationFailed, code: "missing-url", subject: "cancelUrl"))
                == ["The payment order lacks cancelUrl", "Create the order with a cancelUrl."]
        )
        #expect(
            texts(problem(.methodNotAvailable, code: "not-shown", subject: "Trustly"))
                == ["Trustly can't be shown in this session", nil]
        )
        #expect(
            texts(problem(.orderMismatch, code: "paid-after-the-end", rel: .order))
                == [
                    "The order was paid after the checkout had ended unpaid",
                    "Deliver the order, or refund the payment.",
                ]
        )
        #expect(
            texts(problem(.paymentWithdrawn, subject: "Failed")) == [
                "The PSP no longer reports the payment as paid",
                "The PSP's newest response: Failed.",
            ]
        )
        var kinds: Set<String> = []
        for kind in EngineProblemKind.allCases where kind != .methodNotAvailable {
            let title = problem(kind, code: "other", rel: .order).title(disclosing: .masked)
            #expect(title.map { kinds.insert($0).inserted } == true, "\(kind)")
        }
        var causes: Set<String> = []
        for cause in ProblemCause.allCases {
            let title = problem(.inconsistency, code: cause.rawValue, subject: "x", rel: .session)
                .title(disclosing: .masked)
            #expect(title.map { causes.insert($0).inserted } == true, "\(cause)")
        }
    }

    @Test func `the PSP's words stand before our own, and a problem of the PSP has only these`() {
        var refused = problem(.requestFailed, code: "http.status", rel: .abortPayment)
        (refused.title, refused.detail) = (.plain("Not now"), .plain("Try later"))
        #expect(texts(refused) == ["Not now", "Try later"])
        #expect(texts(problem(nil)) == [nil, nil])
    }
}
