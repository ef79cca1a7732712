internal import EventLog
internal import SwedbankPay

extension StoryWords {
    /// The requested client action, and its result if that is part of the same sentence.
    static func asked(
        _ step: Story.ClientStep,
        _ answer: Story.Answer?,
        _ after: Duration
    ) -> String {
        let question = "The payer's app was asked to \(step.request)"
        guard let answer else { return question + "." }
        return question + "; " + outcome(step, answer) + " after \(after.spoken)."
    }

    /// A result that has a sentence of its own, without the end of the sentence.
    static func answered(_ step: Story.ClientStep, _ answer: Story.Answer) -> String {
        let words = outcome(step, answer)
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    private static func outcome(_ step: Story.ClientStep, _ answer: Story.Answer) -> String {
        switch (step, answer) {
        case (.app, .opened): "the app was open"
        case (.app, _): "the app could not be opened"
        case (.methodCall, .timedOut):
            "nobody answered in time, and the payment went on without it,"
        case (.methodCall, .failed): "that failed"
        case (.methodCall, _): "that was done"
        case (.challenge, .finished): "the bank gave its answer"
        case (.challenge, .closed): "the payer closed the bank's page without finishing"
        case (.challenge, _): "the bank's page could not be shown"
        case (.wallet, .finished): "the payer authorised the payment in the wallet"
        case (.wallet, .closed): "the payer closed the wallet without paying"
        case (.wallet, _): "the wallet could not be used"
        case (.page, .finished): "the payer finished on the PSP's page"
        case (.page, .closed): "the payer closed the PSP's page"
        case (.page, _): "the PSP's page could not be shown, or gave up,"
        case (.checkIn, .finished): "the payer was identified"
        case (.checkIn, .closed): "the payer went on without check-in"
        case (.checkIn, _): "the check-in could not be shown, or gave up,"
        }
    }
}

extension Story.ClientStep {
    /// The action as a request to the app.
    var request: String {
        switch self {
        case .app(let scheme): "open \(Self.app(scheme))"
        case .methodCall: "make the bank's hidden check of the device (3-D Secure method)"
        case .challenge: "show the bank's page (3-D Secure)"
        case .wallet(let name): "present \(Self.wallet(name))"
        case .page: "show the PSP's page"
        case .checkIn: "show the check-in"
        }
    }

    /// The action that the payer, or their app, has to perform.
    var duty: String {
        switch self {
        case .app(let scheme): "open \(Self.app(scheme))"
        case .methodCall: "let the hidden check of the device end"
        case .challenge: "finish on the bank's page"
        case .wallet(let name): "authorise in \(Self.wallet(name))"
        case .page: "finish on the PSP's page"
        case .checkIn: "check in"
        }
    }

    private static func app(_ scheme: String?) -> String {
        scheme == "swish"
            ? "Swish" : scheme.map { "the app of \(Screen.safe($0)):" } ?? "another app"
    }

    private static func wallet(_ name: PaymentMethodName) -> String {
        Instrument(offering: name).label
    }
}

extension Instant {
    /// The time of day in UTC, to the second.
    package var clock: String { String(description.dropFirst(11).prefix(8)) }
}
