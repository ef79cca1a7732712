internal import Adapters
internal import HTTPTypes
internal import Logging
internal import SwedbankPay

extension PaymentBackend {
    /// Takes a callback of the PSP: a hint that an order has to be read.
    ///
    /// Nothing of the body is believed but which order it is about; of orders that are not ours, nobody learns that.
    /// The listener is told of each, the receipt is recorded once.
    ///
    /// - Note: Source: callbacks, handling rules.
    func callback(_ call: BackendCall, secret: String) async throws -> BackendResponse {
        guard let listener, let expected = configuration.callbackSecret,
            RandomName.isSame(secret, expected.text), isExpected(call.source)
        else { throw BackendProblem.notFound }
        guard call.body.count <= configuration.maximumCallbackBytes else {
            throw BackendProblem.badRequest("The body is too large.", status: 413)
        }
        let body = try call.object(maximumDepth: configuration.maximumDepth)
        guard
            let named = (body["paymentOrder"] ?? body["paymentorder"])?.object,
            let id = named["id"]?.string
        else { throw BackendProblem.badField("paymentOrder.id", "must be a text") }
        let number =
            named["number"]?.integer ?? body["transaction"]?.object?["number"]?.integer
            ?? body["payment"]?.object?["number"]?.integer
        let receipt = CallbackReceipt(orderID: id, number: number, source: call.source)
        do {
            guard OrderID.isOne(id), let order = try await register.order(.id(id)) else {
                logger.notice("callback about an order that is not ours")
                return .empty(.ok)
            }
            // Reading once more costs little, and the PSP may give what happens to an order one and the same number.
            try await listener.callbackArrived(receipt)
            if try await !register.hasReceived(receipt) { try await register.record(receipt) }
            logger.info("callback taken", metadata: ["order": "\(order.id)"])
            return .empty(.ok)
        } catch {
            // Not noted: the PSP calls again.
            logger.error("callback not taken", metadata: ["error": "\(type(of: error))"])
            return .empty(.serviceUnavailable)
        }
    }

    /// Takes the end of a challenge from the issuer's page, and shows the payer that it is over.
    func challenge(_ call: BackendCall, reference: String) async throws -> BackendResponse {
        guard let listener, Self.referenceLength.contains(reference.utf8.count),
            reference.utf8.allSatisfy(RandomName.isNameByte)
        else { throw BackendProblem.notFound }
        let answer: ChallengeAnswer
        do {
            answer = try ChallengeAnswer(
                url: call.request.path,
                contentType: call.request.headerFields[.contentType],
                body: call.body
            )
        } catch {
            return .page(try Page.notification(nil), status: .badRequest)
        }
        do {
            guard try await listener.challengeAnswered(answer, reference: reference) else {
                return .page(try Page.notification(nil), status: .notFound)
            }
        } catch {
            logger.error("challenge result not taken", metadata: ["error": "\(type(of: error))"])
            return .page(try Page.notification(nil), status: .serviceUnavailable)
        }
        return .page(try Page.notification(answer))
    }

    /// How long the last part of a notification address may be.
    private static let referenceLength = 1...128

    private func isExpected(_ source: String?) -> Bool {
        guard !configuration.callbackSources.isEmpty else { return true }
        guard let source else { return false }
        return configuration.callbackSources.contains { $0.contains(source) }
    }
}
