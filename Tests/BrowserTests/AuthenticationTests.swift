import Adapters
import EventLog
import Inspection
import Sandbox
import SwedbankPay
import TestSupport
import Testing
import Workflow

/// Cards with 3-D Secure, paid by an engine over HTTP, with a real browser for the payer.
@Suite struct AuthenticationTests {
    private func open(_ payment: Payment) async throws -> SessionID {
        var order = SandboxOrder(payerReference: "payer-1")
        order.scenario.savedCards = ["4761739001010416"]
        let created = try await payment.sandbox.createOrder(order)
        return try await payment.engine.open(
            created.sessionURL,
            preferences: [.card(rank: nil)],
            allowsInsecureLoopback: true
        )
    }

    @Test(.feature("N-15"))
    func `a payer passes the 3DS method and the challenge in a browser`() async throws {
        try await withPayment { payment in
            try await withBrowser { browser in
                let session = try await open(payment)
                let call = try await payment.action(.load3DSMethod, of: session)
                let form = try TaskForm(call, allowsInsecureLoopback: true)
                let page = try Page.threeDSMethod(form, allowsInsecureLoopback: true)
                try await browser.serve(page, at: "/call")
                try await browser.open(browser.site + "/call")
                try await browser.wait(toldBy: "done")
                try await browser.wait(for: "document.title === 'Device check'", in: "/acs/method")
                try await payment.engine.report(session, action: call.id, .done)

                let cRes = try await pass(payment, browser, session, pressing: "#approve button")
                try await payment.engine.report(
                    session,
                    action: cRes.action,
                    .challengeCompleted(cRes: cRes.value)
                )
                #expect(try await payment.outcome(of: session) == .completed)
                #expect(await payment.sandbox.ledger.paidOrders == 1)
            }
        }
    }

    @Test(.feature("N-17"))
    func `a challenge that did not load is retried and passed`() async throws {
        try await withPayment { payment in
            try await withBrowser { browser in
                let session = try await open(payment)
                let call = try await payment.action(.load3DSMethod, of: session)
                try await payment.engine.report(session, action: call.id, .done)
                let action = try await payment.action(.show3DS, of: session)
                let form = try TaskForm(action, allowsInsecureLoopback: true)
                let page = try Page.challenge(
                    form,
                    place: .frame(limit: .seconds(10)),
                    notificationURL: try notificationURL(of: action),
                    allowsInsecureLoopback: true
                )
                try await browser.serve(page, at: "/challenge")
                try await browser.block([payment.sandbox.baseURL + "/*"])
                try await browser.open(browser.site + "/challenge")
                try await browser.wait(toldBy: "failed")
                try await browser.block([])
                try await browser.click("#page-retry")
                try await browser.wait(toldBy: "shown")
                try await browser.click("#approve button", in: "/acs/challenge")
                try await browser.wait(for: "!!document.body", in: "cres=")
                let response = try await respond(browser, action)
                try await payment.engine.report(
                    session,
                    action: action.id,
                    .challengeCompleted(cRes: response)
                )
                #expect(try await payment.outcome(of: session) == .completed)
            }
        }
    }

    @Test(.feature("N-46")) func `a payer who cancels at the bank has not paid`() async throws {
        try await withPayment { payment in
            try await withBrowser { browser in
                let session = try await open(payment)
                let call = try await payment.action(.load3DSMethod, of: session)
                try await payment.engine.report(session, action: call.id, .done)
                let cRes = try await pass(payment, browser, session, pressing: "#cancel button")
                try await payment.engine.report(
                    session,
                    action: cRes.action,
                    .challengeCompleted(cRes: cRes.value)
                )
                for await update in try await payment.engine.updates(of: session)
                where update.isSettled {
                    let type = update.state.problem?.problem.type ?? ""
                    #expect(type.hasSuffix("3dsecureusercancelled"))
                    #expect(update.state.outcome == nil)
                    break
                }
            }
        }
    }

    /// Shows the challenge, presses a button of the issuer's page, and returns what reached the
    /// notification address.
    private func pass(
        _ payment: Payment,
        _ browser: Browser,
        _ session: SessionID,
        pressing button: String
    ) async throws -> (action: ActionID, value: String) {
        let action = try await payment.action(.show3DS, of: session)
        let form = try TaskForm(action, allowsInsecureLoopback: true)
        try await browser.serve(Page.challenge(form), at: "/challenge")
        try await browser.open(browser.site + "/challenge")
        try await browser.wait(for: "document.title === 'Sandbox bank'")
        try await browser.click(button)
        try await browser.wait(for: "location.search.includes('cres=')")
        return (action.id, try await respond(browser, action))
    }

    private func notificationURL(of action: ActionView) throws -> String? {
        guard case .show3DS(_, let url) = action.content else {
            throw BrowserFailure(description: "\(action.kind) is no challenge")
        }
        return url?.clear
    }

    /// Returns what the rules for a web view conclude from the browser's navigations.
    private func respond(_ browser: Browser, _ action: ActionView) async throws -> String {
        let rules = try ChallengeNavigation(notificationURL: notificationURL(of: action))
        for url in try await browser.navigations() {
            if case .ended(.completed(let cRes)) = rules.decision(for: url) { return cRes }
        }
        throw BrowserFailure(description: "no challenge response came")
    }
}
