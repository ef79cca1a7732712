internal import SwedbankPay

extension CatalogueRow {
    /// Applies this row to another one, or completes it on its own.
    ///
    /// - Parameter base: The row to change; `nil` for a new row, which needs all members.
    /// - Returns: The complete row.
    /// - Throws: ``ProblemCatalogueError`` for this row when a member is missing or contradicts
    ///   another.
    func merged(
        onto base: ProblemCatalogue.Row?
    ) throws(ProblemCatalogueError) -> ProblemCatalogue.Row {
        let isRetryable = try isRetryable(base?.advice)
        let newAttempt = try newAttempt(base?.advice)
        let askFirst = try askFirst(base?.advice, isRetryable: isRetryable)
        // The other row's retry rules do not apply when this row changes whether the request is
        // retryable.
        let kin = base?.advice.isRetryable == isRetryable ? base?.advice : nil
        let advice = ProblemAdvice(
            actor: try required(actor ?? base?.advice.actor, "actor"),
            isRetryable: isRetryable,
            asksFirst: askFirst,
            delay: try delay(kin, isRetryable: isRetryable),
            cap: try cap(kin, isRetryable: isRetryable),
            newAttempt: newAttempt,
            chargeAgain: chargeAgain ?? base?.advice.chargeAgain,
            chargeLimits: chargeLimits ?? base?.advice.chargeLimits ?? [],
            payerMessage: try required(payerMessage ?? base?.advice.payerMessage, "payerMessage"),
            operatorMessage: try required(
                operatorMessage ?? base?.advice.operatorMessage,
                "operatorMessage"
            ),
            isKnown: true
        )
        return ProblemCatalogue.Row(
            slug: base?.slug ?? slug,
            status: base?.status ?? status,
            family: try required(base?.family ?? family, "family"),
            advice: advice,
            source: source ?? base?.source
        )
    }

    private func isRetryable(_ base: ProblemAdvice?) throws(ProblemCatalogueError) -> Bool {
        if let retryClass, let retrySameRequest, retryClass.repeatsRequest != retrySameRequest {
            throw wrong("class and retrySameRequest contradict each other")
        }
        return try required(
            retryClass?.repeatsRequest ?? retrySameRequest ?? base?.isRetryable,
            "class"
        )
    }

    private func newAttempt(
        _ base: ProblemAdvice?
    ) throws(ProblemCatalogueError) -> ProblemAdvice.NewAttempt {
        if let implied = retryClass?.newAttempt {
            guard newAttempt == nil || newAttempt == implied else {
                throw wrong("class and newAttempt contradict each other")
            }
            return implied
        }
        return try required(newAttempt ?? base?.newAttempt, "newAttempt")
    }

    private func askFirst(
        _ base: ProblemAdvice?,
        isRetryable: Bool
    ) throws(ProblemCatalogueError) -> Bool {
        if let retryClass, retryClass.repeatsRequest {
            let implied = retryClass == .askFirst
            guard askFirst == nil || askFirst == implied else {
                throw wrong("class and askFirst contradict each other")
            }
            return implied
        }
        return askFirst ?? base?.asksFirst ?? (isRetryable && (status ?? 500) >= 500)
    }

    private func delay(
        _ base: ProblemAdvice?,
        isRetryable: Bool
    ) throws(ProblemCatalogueError) -> Duration {
        let delay = delay ?? base?.delay ?? .zero
        guard !isRetryable || delay <= .seconds(Self.maximumRepeatDelaySeconds) else {
            throw wrong(
                "delaySeconds must be at most \(Self.maximumRepeatDelaySeconds) for a request that is repeated"
            )
        }
        return delay
    }

    private func cap(
        _ base: ProblemAdvice?,
        isRetryable: Bool
    ) throws(ProblemCatalogueError) -> RetryCap {
        guard isRetryable else {
            guard maximumTries ?? 1 == 1, maximumTime == nil else {
                throw wrong(
                    "maximumTries and maximumSeconds apply only to requests that are repeated"
                )
            }
            return RetryCap(tries: 1)
        }
        return RetryCap(
            tries: maximumTries ?? base?.cap.tries,
            time: maximumTime ?? base?.cap.time
        )
    }

    private func required<Value>(
        _ value: Value?,
        _ name: String
    ) throws(ProblemCatalogueError) -> Value {
        guard let value else {
            throw wrong("it is not in the catalogue yet, so it needs \(name)")
        }
        return value
    }

    func wrong(_ reason: String) -> ProblemCatalogueError {
        .malformedRow(number: number, type: slug, reason: reason)
    }
}

extension RetryClass {
    /// Whether a new attempt is reasonable according to the retry class.
    fileprivate var newAttempt: ProblemAdvice.NewAttempt? {
        switch self {
        case .sameRequest, .askFirst: nil
        case .newAttempt: .any
        case .otherInstrument: .other
        case .never: .never
        }
    }
}
