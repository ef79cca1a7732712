internal import EventLog
internal import SwedbankPay

/// Whoever takes the events: an address that they are posted to.
struct OutboxReceiver: Sendable {
    let url: String
    let transport: any Transport
    let options: OutboxOptions

    /// What became of a batch.
    enum Outcome {
        /// The receiver has it.
        case taken
        /// It may have it or not; the same batch is sent again, not before what it asks for.
        case failed(reason: String, wait: Duration?)
        /// It can't be sent there at all.
        case refused(reason: String)
    }

    /// What stands in the header `Content-Type`.
    ///
    /// - Note: Source: CloudEvents 1.0, HTTP protocol binding, batched content mode.
    static let contentType = "application/cloudevents-batch+json; charset=UTF-8"
    /// The most bytes of an answer that are read: nothing in it is of interest.
    static let maximumResponseBytes = 65_536

    /// Sends records as one batch; every status from 200 to 299 says that the receiver has them.
    func send(_ records: [StoredRecord]) async -> Outcome {
        var body = CloudEventLine.batchBegin
        for (index, record) in records.enumerated() {
            if index > 0 { body += CloudEventLine.separator }
            body += CloudEventLine.encode(record)
        }
        body += CloudEventLine.batchEnd(isEmpty: records.isEmpty)
        let headers = [(name: "Content-Type", value: Self.contentType)] + options.headers
        let response: HTTPResponse
        do {
            response = try await transport.perform(
                HTTPRequest(
                    method: "POST",
                    url: url,
                    headers: headers,
                    body: body,
                    connectDeadline: options.deadline,
                    overallDeadline: options.deadline,
                    maximumResponseBytes: Self.maximumResponseBytes
                )
            )
        } catch {
            switch error.kind {
            case .refusedURL, .refusedRequest: return .refused(reason: error.description)
            default: return .failed(reason: error.description, wait: nil)
            }
        }
        switch response.status {
        case 200...299: return .taken
        // The receiver is gone for good and says so.
        case 410: return .refused(reason: "HTTP status 410")
        default:
            return .failed(
                reason: "HTTP status \(response.status)",
                wait: RetryAfter.duration(
                    response.header("Retry-After"),
                    date: response.header("Date"),
                    maximum: options.longestAskedPause
                )
            )
        }
    }
}
