internal import Adapters
internal import EventLog
internal import HTTPTypes
internal import Logging
internal import SwedbankPay

extension PaymentBackend {
    /// Accepts a callback of the PSP as a hint that an order has to be read.
    ///
    /// Nothing in the body is trusted except which order it concerns; whether an order is ours is
    /// not revealed. The listener is called for each callback, and the receipt is recorded once.
    ///
    /// - Note: Source: callbacks, handling rules.
    func callback(_ request: BackendRequest, secret: String) async throws -> BackendResponse {
        guard let listener, let expected = configuration.callbackSecret,
            RandomName.isSame(secret, expected.text), isExpected(request.source)
        else { throw BackendProblem.notFound }
        guard request.body.count <= configuration.maximumCallbackBytes else {
            throw BackendProblem.badRequest("The body is too large.", status: 413)
        }
        let body = try request.object(
            maximumDepth: configuration.maximumDepth,
            repairsText: true
        )
        guard
            let named = (body["paymentOrder"] ?? body["paymentorder"])?.object,
            let id = named["id"]?.string
        else { throw BackendProblem.badField("paymentOrder.id", "must be a string") }
        let number =
            named["number"]?.integer ?? body["transaction"]?.object?["number"]?.integer
            ?? body["payment"]?.object?["number"]?.integer
        let receipt = CallbackReceipt(orderID: id, number: number, source: request.source)
        do {
            guard OrderID.isOne(id), let order = try await register.order(.id(id)) else {
                logger.notice("callback about an order that is not ours")
                return .empty(.ok)
            }
            // Another read costs little, and the PSP may use the same number for different events
            // of an order.
            try await listener.callbackArrived(receipt)
            if try await !register.hasReceived(receipt) { try await register.record(receipt) }
            logger.info("callback taken", metadata: ["order": "\(order.id)"])
            return .empty(.ok)
        } catch {
            // The callback was not recorded, so the PSP will repeat it.
            logger.error("callback not accepted", metadata: ["error": "\(type(of: error))"])
            return .empty(.serviceUnavailable)
        }
    }

    /// Accepts the end of a challenge from the issuer's page, and responds with a page whose script
    /// reports to the app that it is over.
    func challenge(_ request: BackendRequest, reference: String) async throws -> BackendResponse {
        guard let listener, Self.referenceLength.contains(reference.utf8.count),
            reference.utf8.allSatisfy(RandomName.isNameByte)
        else { throw BackendProblem.notFound }
        let response: ChallengeResult
        do {
            response = try ChallengeResult(
                url: request.head.path,
                contentType: request.head.headerFields[.contentType],
                body: request.body
            )
        } catch {
            return .page(try Page.notification(nil), status: .badRequest)
        }
        do {
            guard try await listener.challengeCompleted(response, reference: reference) else {
                return .page(try Page.notification(nil), status: .notFound)
            }
        } catch {
            logger.error("challenge result not accepted", metadata: ["error": "\(type(of: error))"])
            return .page(try Page.notification(nil), status: .serviceUnavailable)
        }
        return .page(try Page.notification(response))
    }

    /// The permitted length of the last part of a notification address.
    private static let referenceLength = 1...128

    private func isExpected(_ source: String?) -> Bool {
        guard !configuration.callbackSources.isEmpty else { return true }
        guard let source else { return false }
        return configuration.callbackSources.contains { $0.contains(source) }
    }
}
