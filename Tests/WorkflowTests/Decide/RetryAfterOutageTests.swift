import SwedbankPay
import Testing
import WorkflowTesting

/// Outages of the PSP: what failed is not counted as done.
@Suite struct RetryAfterOutageTests {
    /// Fails every request that changes something, until the engine gives up.
    private func outage(
        _ spec: DeciderSpec,
        _ failure: ProviderResponse.Outcome,
        reading snapshot: Snapshot
    ) -> DeciderSpec {
        var spec = spec
        for _ in 0..<30 where spec.state.problem == nil {
            let pending = spec.decider.pendingEffects(of: spec.state).requests.first
            spec =
                pending?.onlyReads == true
                ? spec.when(response: snapshot) : spec.when(outcome: failure)
        }
        #expect(spec.state.problem?.problem.kind == .requestFailed)
        return spec
    }

    @Test(arguments: [ProviderResponse.Outcome.refused(503), .lost, .notSent])
    func `after outages while the method is expanded, a retry pays`(
        failure: ProviderResponse.Outcome
    ) {
        var spec = payment().ready().when(.attempt(SwishTests.elsewhere))
        for _ in 0..<3 {
            spec = outage(spec, failure, reading: .withSwishAndCard)
            spec = spec.when(.retry(by: "operator")).hasPending(.session)
                .when(response: .withSwishAndCard).hasPending(.expandMethod)
        }
        spec.when(response: Snapshot.withSwishAndCard.expanding(.swish))
            .hasPending(.startPaymentAttempt)
    }

    @Test(arguments: [ProviderResponse.Outcome.refused(503), .lost])
    func `after outages while the presentation is changed, a retry shows the page`(
        failure: ProviderResponse.Outcome
    ) {
        let everything = Snapshot.withEverything
        var spec = payment().ready(everything).when(.menu(.instrument(.sampleWeb)))
        for _ in 0..<3 {
            spec = outage(spec, failure, reading: everything)
            spec = spec.when(.retry(by: "operator")).hasPending(.session)
                .when(response: everything).hasPending(.customizePayment)
        }
        spec.when(response: everything.locked(to: .sampleWeb))
            .then(
                .succeeded(.customizePayment),
                .fetched(by: .customizePayment),
                .menuRequested(.instrument(.sampleWeb))
            )
    }

    @Test func `a method that the PSP expands in vain is expanded twice at most`() {
        var spec = payment().ready().when(.attempt(SwishTests.elsewhere))
        for _ in 0..<5 where spec.state.problem == nil {
            spec = spec.when(response: .withSwishAndCard)
        }
        #expect(spec.count(.expandMethod) == 2)
        #expect(spec.state.problem?.problem.kind == .methodNotAvailable)
    }
}
