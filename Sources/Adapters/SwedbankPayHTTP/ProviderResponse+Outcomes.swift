internal import EventLog
internal import SwedbankPay
internal import UVTransport

extension ProviderResponse.Outcome {
    /// A secret that the request needs is no longer available, so nothing was sent.
    static let secretMissing = ProviderResponse.Outcome.failed(
        reach: .notSent,
        code: EncodedRequest.Refusal.secretMissing.rawValue,
        isTransient: false
    )

    /// The host's own implementation does not offer the operation, so nothing was sent.
    static let unsupported = ProviderResponse.Outcome.failed(
        reach: .notSent,
        code: OperationFailed.unsupportedCode,
        isTransient: false
    )

    /// The outcome of an unsuccessful response; texts that quote known secrets are sealed.
    static func refusal(
        _ response: TransportResponse,
        to request: ProviderRequest,
        known: [String],
        _ limits: ResponseLimits,
        _ secrets: inout SecretTable
    ) -> ProviderResponse.Outcome {
        .refused(
            status: response.status,
            document: ProblemDocument.read(
                response.body,
                keys: request.keys,
                secrets: &secrets,
                known: known,
                limits: limits
            ),
            retryAfter: RetryAfter.duration(in: response.headers, maximum: limits.retryAfter)
        )
    }

    /// The outcome of a successful response that is not what was requested; its body is sealed.
    static func unreadable(
        _ response: TransportResponse,
        to request: ProviderRequest,
        _ limits: ResponseLimits,
        _ secrets: inout SecretTable
    ) -> ProviderResponse.Outcome {
        let raw = String(decoding: response.body, upTo: limits.rawBytes)
        return .undecodable(status: response.status, raw: secrets.seal(raw, with: request.keys))
    }
}
