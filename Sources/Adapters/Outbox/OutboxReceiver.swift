internal import EventLog
internal import HTTPTypes
internal import Inspection
internal import SwedbankPay

/// The receiver of events: an address to which they are posted.
struct OutboxReceiver: Sendable {
    let url: String
    let transport: any Transport
    let options: OutboxOptions

    /// The outcome of sending a batch.
    enum Outcome {
        /// The receiver has accepted the batch.
        case taken
        /// The receiver may or may not have the batch; it is sent again, no sooner than the
        /// receiver asks for.
        case failed(reason: String, wait: Duration?)
        /// The batch cannot be sent there at all.
        case refused(reason: String)
    }

    /// The value of the header `Content-Type`.
    ///
    /// - Note: Source: CloudEvents 1.0, HTTP protocol binding, batched content mode.
    static let contentType = "application/cloudevents-batch+json; charset=UTF-8"
    /// The maximum size of a response in bytes; its content is ignored.
    static let maximumResponseBytes = 65_536

    /// A record, and what happened to the payment with it.
    typealias Item = (record: StoredRecord, notices: [PaymentNotice])

    /// Sends a batch; any status from 200 to 299 means that the receiver has it.
    func send(_ items: [Item]) async -> Outcome {
        let events = items.flatMap { item in
            [CloudEventLine.encode(item.record)] + item.notices.map(\.cloudEvent)
        }
        let body =
            CloudEventLine.batchBegin + events.joined(separator: CloudEventLine.separator)
            + CloudEventLine.batchEnd(isEmpty: events.isEmpty)
        let response: TransportResponse
        do {
            var headers: HTTPFields = [.contentType: Self.contentType]
            headers += try HTTPFields(checking: options.headers)
            response = try await transport.perform(
                TransportRequest(
                    method: .post,
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
        // The receiver is permanently gone.
        case 410: return .refused(reason: "HTTP status 410")
        default:
            return .failed(
                reason: "HTTP status \(response.status)",
                wait: RetryAfter.duration(in: response.headers, maximum: options.maximumRetryAfter)
            )
        }
    }
}
