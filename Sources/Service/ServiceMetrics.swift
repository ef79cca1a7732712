internal import Adapters
internal import CoreMetrics
internal import HTTPTypes

/// Measures what the service is asked.
///
/// The labels are words from fixed lists: no session, caller or address is among them.
struct ServiceMetrics: Sendable {
    /// Why a request was refused before it was carried out.
    enum Refusal: String, CaseIterable {
        case unauthenticated, forbidden
        /// The caller sends more requests than it may.
        case rate
        /// The body is too large, or too many streams are open.
        case limit
        case malformed
    }

    /// What became of a request with an `Idempotency-Key`.
    enum KeyResult: String, CaseIterable {
        /// It was carried out.
        case first
        /// It had been carried out before.
        case replayed
        /// Another request had the key.
        case mismatch
        case underWay = "under_way"
    }

    let readings: MetricReadings

    /// Begins to measure, with 0 for everything that is counted.
    init(into readings: MetricReadings) {
        self.readings = readings
        for refusal in Refusal.allCases { count(refusal, 0) }
        for result in KeyResult.allCases { count(result, 0) }
    }

    /// Counts a request to which the service has responded.
    func count(_ route: Route?, _ status: HTTPResponse.Status, after duration: Duration) {
        // What was sent to an unknown address, or with an unknown method, is not repeated.
        let labels = [
            ("route", route?.rawValue ?? "none"), ("method", route?.method.rawValue ?? "other"),
        ]
        counter("http_requests", labels + [("status_class", "\(status.code / 100)xx")])
            .increment()
        let (seconds, attoseconds) = duration.components
        Timer(
            label: "payment_workflow_http_request_duration",
            dimensions: labels,
            factory: readings
        ).recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    /// Counts a request that was refused, and one whose key had been used.
    func count(_ problem: ServiceProblem) {
        if let refusal = problem.refusal { count(refusal) }
        if problem == .keyReused { count(.mismatch) }
        if problem == .requestUnderWay { count(.underWay) }
    }

    func count(_ result: KeyResult, _ amount: Int = 1) {
        counter("idempotency", [("result", result.rawValue)]).increment(by: amount)
    }

    private func count(_ refusal: Refusal, _ amount: Int = 1) {
        counter("http_refused", [("reason", refusal.rawValue)]).increment(by: amount)
    }

    /// Counts that the store could not be measured.
    func countFailedSample(_ code: String) {
        counter("samples_failed", [("code", code)]).increment()
    }

    func record(streams: Int) {
        Gauge(label: "payment_workflow_streams", factory: readings).record(streams)
    }

    private func counter(_ name: String, _ labels: [(String, String)]) -> Counter {
        Counter(label: "payment_workflow_\(name)_total", dimensions: labels, factory: readings)
    }
}

extension ServiceProblem {
    /// How it is counted; `nil` for what the service cannot do, and what a session does not allow.
    fileprivate var refusal: ServiceMetrics.Refusal? {
        switch status {
        case 401: .unauthenticated
        case 403: .forbidden
        case 413: .limit
        case 429: self == .tooManyStreams ? .limit : .rate
        case 400, 415, 422: .malformed
        default: nil
        }
    }
}
