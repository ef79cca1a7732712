import EventLog
import SwedbankPay
import TestSupport
import Testing
import Workflow
import WorkflowTesting

@Suite struct FoldTests {
    var launching: DeciderSpec {
        payment().expanded(.swish(msisdn: nil)).when(response: .swishToLaunch)
    }
    let unknownAction = ActionID(rawValue: "a-999")

    func recorded(_ spec: DeciderSpec) -> [RecordedEvent] {
        spec.log.enumerated().map { index, entry in
            RecordedEvent(
                stream: spec.state.session,
                sequence: SequenceNumber(index + 1),
                at: entry.at,
                event: entry.event,
                metadata: EventMetadata(build: "b", catalogue: "c", cause: "test", node: "n")
            )
        }
    }

    @Test(.guarantee(.replayEqualsLive)) func `a log folds to the live state`() {
        let spec = launching
        #expect(SessionState.folding(recorded(spec), of: spec.state.session) == spec.state)
        #expect(spec.state.sequence == SequenceNumber(spec.log.count))
        #expect(spec.state.lastAt == spec.log.last?.at)
    }

    @Test func `an event with an earlier time does not set the state's time back`() {
        var state = launching.state
        let before = state.lastAt
        state.apply(
            .operatorActed(OperatorActed(by: "ops", action: "look")),
            at: Instant(microseconds: 1)
        )
        #expect(state.lastAt == before)
    }

    @Test func `events of unknown types are counted and skipped`() {
        let spec = launching
        let after = spec.given(
            .unknown(UnknownEvent(type: "payerSang", version: 3, data: Array("{}".utf8))),
            .noteAdded(NoteAdded(by: "ops", text: .sample("text")))
        )
        #expect(after.state.sequence == spec.state.sequence + 2)
        after.hasPending(effects: spec.decider.pendingEffects(of: spec.state))
        #expect(after.state.actions == spec.state.actions)
        #expect(after.state.payment?.attempt == spec.state.payment?.attempt)
    }

    @Test func `stray events change no client action, attempt or pending effect`() {
        let spec = launching
        let strays: [SessionEvent] = [
            .externalAppLaunched(ActionReported(action: unknownAction)),
            .externalAppLaunchFailed(ActionFailed(action: unknownAction)),
            .threeDSShown(ActionReported(action: unknownAction)),
            .threeDSCompleted(ThreeDSCompleted(action: unknownAction, cRes: .sample("x"))),
            .threeDSMethodCompleted(
                ThreeDSMethodCompleted(action: unknownAction, indicator: .completed)
            ),
            .walletCanceled(ActionReported(action: unknownAction)),
            .menuShown(ActionReported(action: unknownAction)),
            .operationSucceeded(
                OperationSucceeded(
                    effect: EffectID(rawValue: "e-77"),
                    rel: .startPaymentAttempt,
                    status: 200,
                    durationMilliseconds: 1,
                    content: .empty
                )
            ),
            .operationFailed(
                OperationFailed(
                    effect: EffectID(rawValue: "e-77"),
                    rel: .startPaymentAttempt,
                    reach: .responded,
                    code: "http.status",
                    status: 403,
                    durationMilliseconds: 1,
                    tryNumber: 1
                )
            ),
            .opened(.sample(preferences: [.googlePay])),
        ]
        for stray in strays {
            let after = spec.given(stray)
            after.hasPending(effects: spec.decider.pendingEffects(of: spec.state))
            #expect(after.state.actions == spec.state.actions, "\(stray.typeName)")
            #expect(
                after.state.payment?.attempt == spec.state.payment?.attempt,
                "\(stray.typeName)"
            )
            #expect(
                after.state.payment?.opening == spec.state.payment?.opening,
                "\(stray.typeName)"
            )
        }
    }

    @Test func `a client action keeps its first report`() {
        let spec = launching
        let action = spec.newestAction
        let after = spec.given(
            .externalAppLaunched(ActionReported(action: action)),
            .externalAppLaunchFailed(ActionFailed(action: action))
        )
        #expect(after.state.actions.map(\.status) == [.reported(.launched)])
    }

    @Test func `the first outcome is final`() {
        let spec = launching.given(
            .completed(Completed(evidence: .redirectToCompleteURL)),
            .canceled(Canceled(by: .psp)),
            .expired(Expired(reason: .lifetime))
        )
        spec.ended(.completed).hasPending(effects: []).isSettled()
        #expect(spec.state.payment?.attempt == nil)
        #expect(spec.state.payment?.lastChoice == .swish(msisdn: nil))
    }

    @Test func `wallet and menu events set the status of their client actions`() {
        let task = IntegrationTask(rel: .walletSDK)
        let request = TaskRequested(
            action: ActionID(rawValue: "a-50"),
            key: TaskKey(digest: .zero),
            attempt: 1,
            task: task
        )
        let wallet = payment().ready().given(
            .walletRequested(WalletRequested(request: request, method: .applePay))
        )
        #expect(wallet.state.actions.map(\.kind) == [.authorizeWallet(task, method: .applePay)])
        let answered = wallet.given(
            .walletAuthorized(
                WalletAuthorized(action: request.action, payload: .sample("token"))
            )
        )
        #expect(
            answered.state.actions.map(\.status)
                == [.reported(.authorized(payload: .sample("token")))]
        )
        let menu = payment().ready().given(
            .menuRequested(
                MenuRequested(
                    action: request.action,
                    mode: .menu,
                    script: .sample("script")
                )
            ),
            .menuShown(ActionReported(action: request.action))
        )
        #expect(menu.state.actions.map(\.status) == [.shown])
        let closed = menu.given(
            .menuClosed(MenuClosed(action: request.action, outcome: .completed))
        )
        #expect(closed.state.actions.map(\.status) == [.reported(.completed)])
        // The menu's report is not the PSP's: the session is read.
        closed.ended(nil).hasPending(.session, in: .zero)
    }

    @Test(.guarantee(.terminalIsFinal), arguments: [UInt64](0..<40))
    func `events in any order fold without a trap, and the first outcome is final`(seed: UInt64) {
        var sequence = CommandSequence(seed: seed)
        var spec = DeciderSpec { text, _ in Issue.record("seed \(seed): \(text)") }
        spec.foldsEachStep = false
        spec = spec.when(.open(.sample())).when(random: &sequence, count: 60)
        let shuffled = spec.log.shuffled(using: &sequence.generator)
        var state = SessionState(session: spec.state.session)
        var end: Outcome?
        for (event, at) in shuffled + shuffled.prefix(20) {
            state.apply(event, at: at)
            if end != nil { #expect(state.outcome == end, "seed \(seed)") }
            end = state.outcome
            #expect(spec.decider.pendingEffects(of: state).requests.count <= 1, "seed \(seed)")
        }
        #expect(state.sequence == SequenceNumber(shuffled.count + min(20, shuffled.count)))
    }
}
