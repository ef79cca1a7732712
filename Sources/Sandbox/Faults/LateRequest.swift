/// When a request takes effect whose sender received no response.
public enum LateEffect: Sendable, Equatable {
    /// This long after it arrived.
    case after(Duration)
    /// Once the order or its session has been read this often since; the last of these reads does
    /// not show the effect yet.
    case afterReads(Int)
}

/// A request that the PSP has received and not performed yet.
struct LateRequest: Sendable {
    /// The maximum number of delayed requests.
    static let limit = 10_000

    let request: Provider.OrderRequest
    let method: String
    let body: Result<JSON, ProblemDetail>
    /// When the request is due; `nil` when it waits for reads.
    let due: ContinuousClock.Instant?
    /// The number of reads that it still waits for.
    var reads: Int

    /// Whether the request is due now.
    func isDue(at now: ContinuousClock.Instant) -> Bool {
        if let due { return due <= now }
        return reads <= 0
    }
}

extension Provider {
    /// Delays a request.
    func holdBack(
        _ request: OrderRequest,
        _ method: String,
        _ body: Result<JSON, ProblemDetail>,
        until effect: LateEffect
    ) {
        guard lateRequests.count < LateRequest.limit else { return }
        switch effect {
        case .after(let delay):
            lateRequests.append(
                LateRequest(
                    request: request,
                    method: method,
                    body: body,
                    due: moment.now + delay,
                    reads: 0
                )
            )
        case .afterReads(let count):
            lateRequests.append(
                LateRequest(request: request, method: method, body: body, due: nil, reads: count)
            )
        }
        watch()
    }

    /// Whether a delayed request waits for a time rather than for reads.
    var waitsForLateRequests: Bool { lateRequests.contains { $0.due != nil } }

    /// Performs the requests that are due.
    func carryOutLateRequests() {
        guard !lateRequests.isEmpty else { return }
        let now = moment.now
        let due = lateRequests.filter { $0.isDue(at: now) }
        guard !due.isEmpty else { return }
        lateRequests.removeAll { $0.isDue(at: now) }
        for late in due {
            var outcome = "late-after-processing"
            var status = 0
            do throws(ProblemDetail) {
                status = try perform(late.request, method: late.method, body: late.body).status
            } catch {
                status = error.status
                outcome = "late-" + error.slug
            }
            record(
                order: late.request.order,
                rel: late.request.rel,
                status: status,
                outcome: outcome
            )
        }
    }

    /// Counts a read of an order, for the requests that wait for it.
    func recordRead(of id: String) {
        for index in lateRequests.indices
        where lateRequests[index].request.order == id && lateRequests[index].due == nil {
            lateRequests[index].reads -= 1
        }
    }
}
