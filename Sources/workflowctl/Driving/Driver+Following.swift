internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

/// The result of following a session.
struct Followed: Sendable {
    /// The newest state seen.
    var state: SessionState
    /// Whether nothing is pending on the engine's side.
    var isSettled: Bool
    /// The store's failure that ended the following, or that persisted at its end.
    var storeFailure: EventStoreError?
}

extension Driver {
    /// Follows a session until the goal is reached, the time is over, or the command is
    /// interrupted.
    ///
    /// What was due when the command began is done also beside an open client action.
    func follow(
        _ session: SessionID,
        until goal: Goal,
        for wait: Duration,
        verbosely: Bool
    ) async throws(Failure) -> Followed {
        let updates: AsyncStream<SessionUpdate>
        var latest: Followed
        do {
            let state = try await engine.state(of: session)
            latest = Followed(state: state, isSettled: engine.decider.isSettled(state))
            guard wait > .zero else { return latest }
            updates = try await engine.updates(of: session)
        } catch {
            throw Failure(error)
        }
        let timeline = Timeline(
            of: session,
            in: store,
            on: invocation.diagnostics,
            since: begin
        )
        let (driver, first) = (self, latest)
        let watching = invocation.loop.spawn {
            var (latest, timeline) = (first, timeline)
            for await update in updates {
                latest = Followed(
                    state: update.state,
                    isSettled: update.isSettled,
                    storeFailure: update.storeFailure
                )
                // What can't be read now is printed with the next update; the view needs none.
                if verbosely { try? await timeline.catchUp(to: update.state.sequence) }
                let isReached = latest.hasReached(
                    goal,
                    by: driver.engine.decider,
                    since: driver.begin,
                    at: driver.invocation.now()
                )
                if isReached { break }
            }
            return latest
        }
        let notice = noteWaiting(for: session, verbosely: verbosely)
        let waiting = invocation.loop.spawn {
            try? await driver.invocation.loop.sleep(for: wait)
            watching.cancel()
        }
        latest = await withTaskCancellationHandler {
            await watching.value
        } onCancel: {
            watching.cancel()
        }
        waiting.cancel()
        notice?.cancel()
        if let failure = latest.storeFailure, !failure.isTransient { throw Failure(failure) }
        return latest
    }

    /// How long a command waits for the order's confirmation of a native payment that has ended.
    static let confirmation = Duration.seconds(3)

    /// Waits for the confirmation: a native session's order is read by its checkout, shortly after
    /// the end.
    func awaitConfirmation(of followed: Followed, for wait: Duration) async -> Followed {
        var followed = followed
        let limit = invocation.now() + min(wait, Self.confirmation)
        while followed.state.payment?.opening?.checkout != nil,
            followed.state.outcome == .completed,
            followed.state.confirmation == nil, invocation.now() < limit
        {
            // The payment has ended, and the view shows what is known of it.
            guard (try? await invocation.loop.sleep(for: .milliseconds(50))) != nil,
                let state = try? await engine.state(of: followed.state.session)
            else { break }
            followed.state = state
        }
        return followed
    }

    /// How long a command may print nothing on a terminal.
    static let silence = Duration.seconds(1)

    /// Prints on a terminal that the command is waiting.
    private func noteWaiting(for session: SessionID, verbosely: Bool) -> Task<Void, Never>? {
        guard invocation.diagnostics.isTerminal, !verbosely else { return nil }
        let invocation = invocation
        return invocation.loop.spawn {
            guard (try? await invocation.loop.sleep(for: Self.silence)) != nil else { return }
            invocation.note(
                invocation.diagnostics.style.paint(
                    "waiting for session \(session) to settle; use -v to see its events",
                    .dim
                )
            )
        }
    }
}
