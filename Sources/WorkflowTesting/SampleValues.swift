public import EventLog
public import SwedbankPay

extension Sealed {
    /// A sealed value whose fingerprint is derived from a text: equal texts give equal values.
    ///
    /// For tests only: the fingerprint is not an HMAC and hides nothing.
    public static func sample(_ text: String) -> Sealed {
        var words: [UInt64] = []
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for round in UInt8(0)..<4 {
            for byte in [round] + Array(text.utf8) {
                hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
            }
            words.append(hash)
        }
        return Sealed(fingerprint: Digest256(words: (words[0], words[1], words[2], words[3])))
    }
}

extension Opened {
    /// A session of a sample PSP.
    public static func sample(preferences: [Preference] = []) -> Opened {
        Opened(
            sessionURL: .sample("session"),
            host: "api.psp.example",
            reference: "order-4711",
            userAgent: "payment-workflow/1",
            preferences: preferences
        )
    }
}

extension ProblemCatalogue {
    /// A few kinds of problems: a declined card, a declined Swish payment, one that may be retried.
    public static let sample = ProblemCatalogue(
        rows: [
            row("creditcard/carddeclined", 403, "creditcard", .payer, false),
            row("swish/swishdeclined", 403, "swish", .payer, false),
            row("paymentorders/clientapplaunchfailed", 403, "paymentorders", .payer, true),
            row("systemerror", 500, "common", .psp, true),
        ],
        version: "sample"
    )

    private static func row(
        _ slug: String,
        _ status: Int,
        _ family: String,
        _ actor: Actor,
        _ isRetryable: Bool
    ) -> Row {
        Row(
            slug: slug,
            status: status,
            family: family,
            advice: ProblemAdvice(
                actor: actor,
                isRetryable: isRetryable,
                newAttempt: .any,
                payerMessage: "The payment did not go through.",
                operatorMessage: "A sample problem.",
                isKnown: true
            )
        )
    }
}

extension ProblemDocument {
    /// A document of a type below the PSP's prefix.
    public static func sample(_ slug: String) -> ProblemDocument {
        ProblemDocument(
            type: ProblemCatalogue.typePrefix + slug,
            title: .plain("A title"),
            detail: .plain("A detail")
        )
    }

    /// The PSP's problem when the payment cannot be aborted now.
    public static let operationNotAllowed = sample("paymentsessions/operationnotallowed")
}

extension ProviderResponse.Outcome {
    /// A refusal with a status.
    public static func refused(
        _ status: Int,
        _ document: ProblemDocument = .sample("something")
    ) -> ProviderResponse.Outcome {
        .refused(status: status, document: document, retryAfter: nil)
    }

    /// The connection failed: nothing was sent.
    public static let notSent = ProviderResponse.Outcome.failed(
        reach: .notSent,
        code: "http.connect",
        isTransient: true
    )
    /// The response was lost: the request may have taken effect.
    public static let lost = ProviderResponse.Outcome.failed(
        reach: .maybeSent,
        code: "http.timeout",
        isTransient: true
    )
}

extension SessionProblem {
    /// A failed attempt as a snapshot reports it.
    public static func sample(
        _ slug: String = "creditcard/carddeclined",
        acknowledge href: String? = "ack-1",
        detail: String = "declined"
    ) -> SessionProblem {
        SessionProblem(
            type: ProblemCatalogue.typePrefix + slug,
            title: .plain("Declined"),
            status: 403,
            detail: .plain(detail),
            acknowledge: href.map { .sample(.acknowledgeFailedAttempt, at: $0) }
        )
    }
}

extension MethodOffer {
    /// What a snapshot with ``OfferedMethod/sampleSwish`` offers: the saved numbers by their rank.
    public static let sampleSwish = MethodOffer(
        instrument: .swish,
        method: .swish,
        prefills: [
            .swish(rank: 1, msisdn: .sample("+46739000001"), masked: "+46•••••0001"),
            .swish(rank: 2, msisdn: .sample("+46739000002"), masked: "+46•••••0002"),
        ]
    )
    /// What a snapshot with ``OfferedMethod/sampleCard`` offers: the saved cards by their rank.
    public static let sampleCard = MethodOffer(
        instrument: .card,
        method: .creditCard,
        prefills: [.card(.sample(rank: 1)), .card(.sample(rank: 2))]
    )
    /// What a snapshot with ``OfferedMethod/sampleCard`` offers, too: a card that is not saved.
    public static let sampleNewCard = MethodOffer(instrument: .newCard, method: .creditCard)
}
