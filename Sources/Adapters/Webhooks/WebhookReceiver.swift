internal import EventLog
internal import HTTPTypes
internal import Inspection
internal import SwedbankPay

/// The receiver of an endpoint: an address to which messages are posted, each signed.
///
/// - Note: Source: Standard Webhooks 1.0, headers, signatures and responses.
struct WebhookReceiver: Sendable {
    let options: WebhookOptions
    let transport: any Transport
    let secrets: @Sendable () -> [WebhookSecret]

    /// What came of sending a message.
    enum Outcome {
        /// The receiver has it.
        case taken
        /// The receiver may or may not have it: it is sent again.
        case refused(reason: String, wait: Duration?)
        /// The receiver accepts no further messages.
        case gone
    }

    /// Sends a message, with the same identity and body however often.
    func send(_ notice: PaymentNotice, at now: Instant) async -> Outcome {
        let body = Array(JSONDocument.text(notice.json).utf8)
        let seconds = now.microseconds / 1_000_000
        let signatures = secrets().map {
            $0.signature(id: notice.id, seconds: seconds, body: body)
        }
        let response: TransportResponse
        do throws(TransportFailure) {
            let headers = try HTTPFields(checking: [
                ("Content-Type", "application/json"), ("webhook-id", notice.id),
                ("webhook-timestamp", "\(seconds)"),
                ("webhook-signature", signatures.joined(separator: " ")),
            ])
            response = try await transport.perform(
                TransportRequest(
                    method: .post,
                    url: options.url,
                    headers: headers,
                    body: body,
                    connectDeadline: options.deadline,
                    overallDeadline: options.deadline
                )
            )
        } catch {
            return .refused(reason: error.description, wait: nil)
        }
        switch response.status {
        case 200...299: return .taken
        case 410: return .gone
        // Redirects are not followed: the receiver has another address.
        default:
            return .refused(
                reason: "HTTP status \(response.status)",
                wait: RetryAfter.duration(in: response.headers, maximum: options.maximumRetryAfter)
            )
        }
    }
}
