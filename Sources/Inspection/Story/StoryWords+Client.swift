internal import EventLog
internal import SwedbankPay

extension StoryWords {
    /// The requested client action, and its result if that is part of the same sentence.
    static func asked(
        _ step: Story.ClientStep,
        _ response: Story.ActionResult?,
        _ after: Duration
    ) -> String {
        let question = "The merchant's app was asked to \(step.request)"
        guard let response else { return question + "." }
        return question + "; after \(after.spoken), " + outcome(step, response) + "."
    }

    /// A result that has a sentence of its own, without the end of the sentence.
    static func reported(_ step: Story.ClientStep, _ response: Story.ActionResult) -> String {
        let words = outcome(step, response)
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    private static func outcome(_ step: Story.ClientStep, _ response: Story.ActionResult) -> String
    {
        switch (step, response) {
        case (.app(let scheme), .opened): "\(Story.ClientStep.app(scheme)) was open"
        case (.app(let scheme), _): "\(Story.ClientStep.app(scheme)) could not be opened"
        case (.methodCall, .timedOut):
            "the check had timed out, and the payment continued without it"
        case (.methodCall, .failed): "the check failed"
        case (.methodCall, _): "the check was done"
        case (.challenge, .finished): "the bank returned its result"
        case (.challenge, .closed): "the payer closed the bank's page without finishing"
        case (.challenge, _): "the bank's page could not be shown"
        case (.wallet, .finished): "the payer authorized the payment in the wallet"
        case (.wallet, .closed): "the payer closed the wallet without paying"
        case (.wallet, _): "the wallet could not be used"
        case (.page, .finished): "the payer finished on the PSP's page"
        case (.page, .closed): "the payer closed the PSP's page"
        case (.page, _): "the PSP's page failed or could not be shown"
        case (.checkIn, .finished): "the payer was identified"
        case (.checkIn, .closed): "the payer continued without check-in"
        case (.checkIn, _): "the check-in failed or could not be shown"
        }
    }
}

extension Story.ClientStep {
    /// The action as a request to the app.
    var request: String {
        switch self {
        case .app(let scheme): "open \(Self.app(scheme))"
        case .methodCall: "run the bank's hidden device check (3-D Secure method)"
        case .challenge: "show the bank's page (3-D Secure challenge)"
        case .wallet(let name): "open \(Self.wallet(name))"
        case .page: "show the PSP's page"
        case .checkIn: "show the check-in"
        }
    }

    /// The action that the payer, or their app, has to perform.
    var duty: String {
        switch self {
        case .app(let scheme): "open \(Self.app(scheme))"
        case .methodCall: "wait for the bank's hidden device check"
        case .challenge: "finish on the bank's page"
        case .wallet(let name): "approve the payment in \(Self.wallet(name))"
        case .page: "finish on the PSP's page"
        case .checkIn: "check in"
        }
    }

    fileprivate static func app(_ scheme: String?) -> String {
        guard let scheme else { return "another app" }
        return Instrument(appScheme: scheme)?.label ?? "the app for \(Screen.safe(scheme)):"
    }

    private static func wallet(_ name: PaymentMethodName) -> String {
        Instrument(offering: name).label
    }
}

extension Instant {
    /// The time of day in UTC, to the second.
    package var clock: String { String(description.dropFirst(11).prefix(8)) }
}
