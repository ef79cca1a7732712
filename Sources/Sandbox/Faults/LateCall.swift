/// When a call takes effect whose sender received no response.
public enum LateEffect: Sendable, Equatable {
    /// This long after it arrived.
    case after(Duration)
    /// Once the order or its session has been read this often since; the last of these reads does
    /// not show the effect yet.
    case afterReads(Int)
}

/// A call that the PSP has received and not performed yet.
struct LateCall: Sendable {
    /// The maximum number of delayed calls.
    static let limit = 10_000

    let call: Provider.OrderCall
    let method: String
    let body: Result<JSON, ProblemDetail>
    /// When the call is due; `nil` when it waits for reads.
    let due: ContinuousClock.Instant?
    /// The number of reads that it still waits for.
    var reads: Int

    /// Whether the call is due now.
    func isDue(at now: ContinuousClock.Instant) -> Bool {
        if let due { return due <= now }
        return reads <= 0
    }
}

extension Provider {
    /// Delays a call.
    func holdBack(
        _ call: OrderCall,
        _ method: String,
        _ body: Result<JSON, ProblemDetail>,
        until effect: LateEffect
    ) {
        guard lateCalls.count < LateCall.limit else { return }
        switch effect {
        case .after(let delay):
            lateCalls.append(
                LateCall(
                    call: call,
                    method: method,
                    body: body,
                    due: moment.now + delay,
                    reads: 0
                )
            )
        case .afterReads(let count):
            lateCalls.append(
                LateCall(call: call, method: method, body: body, due: nil, reads: count)
            )
        }
        watch()
    }

    /// Whether a delayed call waits for a time rather than for reads.
    var waitsForLateCalls: Bool { lateCalls.contains { $0.due != nil } }

    /// Performs the calls that are due.
    func carryOutLateCalls() {
        guard !lateCalls.isEmpty else { return }
        let now = moment.now
        let due = lateCalls.filter { $0.isDue(at: now) }
        guard !due.isEmpty else { return }
        lateCalls.removeAll { $0.isDue(at: now) }
        for late in due {
            var outcome = "late-after-processing"
            var status = 0
            do throws(ProblemDetail) {
                status = try perform(late.call, method: late.method, body: late.body).status
            } catch {
                status = error.status
                outcome = "late-" + error.slug
            }
            record(order: late.call.order, rel: late.call.rel, status: status, outcome: outcome)
        }
    }

    /// Counts a read of an order, for the calls that wait for it.
    func recordRead(of id: String) {
        for index in lateCalls.indices
        where lateCalls[index].call.order == id && lateCalls[index].due == nil {
            lateCalls[index].reads -= 1
        }
    }
}
