internal import EventLog
internal import HTTPTypes
internal import Inspection
internal import SwedbankPay

extension PaymentAPI {
    /// The session after each of its events, as a line of JSON each.
    func states(_ request: ServiceRequest) async throws(ServiceProblem) -> ServiceResponse {
        try request.refuseParameters(except: ["from", "to"])
        let first = try request.number("from", in: 1...Int64.max, default: 1)
        let last = try request.number("to", in: first...Int64.max, default: Int64.max)
        let replay = try await replay(request)
        let count = Int64(replay.log.events.count)
        var lines = ""
        if first <= count {
            let end = min(last, count, first - 1 + Self.statesAtOnce)
            replay.forEachStep(
                from: SequenceNumber(rawValue: first),
                upTo: SequenceNumber(rawValue: end)
            ) { lines += JSONDocument.text($0.json) + "\n" }
        }
        return .text(lines, type: "application/x-ndjson")
    }

    /// The maximum number of states in one response; each has a whole view.
    private static let statesAtOnce: Int64 = 200

    /// The session as it was after one of its events, or before the first.
    func state(_ request: ServiceRequest) async throws(ServiceProblem) -> ServiceResponse {
        try request.refuseParameters(except: [])
        let replay = try await replay(request)
        guard let number = Int64(request.parts[1]), number >= 0,
            number <= replay.log.events.count
        else {
            throw ServiceProblem(
                404,
                "usage.at",
                "the log has only \(replay.log.events.count) events",
                hint: "choose a smaller sequence number; 0 is before the first event"
            )
        }
        return .json(replay.view(at: SequenceNumber(rawValue: number)).json)
    }

    private func replay(_ request: ServiceRequest) async throws(ServiceProblem) -> Replay {
        Replay(log: try await soundLog(request), decider: engine.decider, disclosure: .masked)
    }
}
