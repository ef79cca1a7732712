import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Payments

/// A shop that sells lamps: the requests that its customers and the PSP can send to any of its
/// nodes.
struct Shop: Sendable {
    let service: PaymentService
    /// The public address of the shop, without a slash at the end.
    let url: String

    func router() -> Router<BasicRequestContext> {
        let router = Router()
        // Buys a lamp; the shop's own order number is the reference by which every node finds the
        // payment.
        router.post("orders/:number") { _, context in
            let number = try context.parameters.require("number")
            if try await payment(number) == nil {
                _ = try await service.checkout(lamp(number), reference: number)
            }
            return seeOther("/orders/\(number)")
        }
        // Shows the PSP's page as soon as the order exists.
        router.get("orders/:number") { _, context in
            let action = try await pageAction(try context.parameters.require("number"))
            let page = try action.page(reporting: PageReporting(messageHandler: nil))
            try await action.report(.shown)
            return html(page.html, page.headers)
        }
        // The PSP's page leads here. A browser's request proves nothing: the engine reads the order
        // before it counts as paid.
        router.get("orders/:number/complete") { _, context in
            try await left(.completed, try context.parameters.require("number"))
        }
        router.get("orders/:number/cancel") { _, context in
            try await left(.canceled, try context.parameters.require("number"))
        }
        // The payer returns here from an app: the engine reads the order, and the page goes on.
        router.get("orders/:number/return") { request, context in
            let number = try context.parameters.require("number")
            try await known(number).handleReturn(to: "\(url)\(request.uri)")
            return seeOther("/orders/\(number)")
        }
        // The PSP sends callbacks here.
        router.post("callbacks/:number") { request, context in
            let payment = try await known(try context.parameters.require("number"))
            let body = try await request.body.collect(upTo: 1 << 16)
            try await payment.handleCallback(Array(body.readableBytesView))
            return HTTPResponse.Status.ok
        }
        // The same for an app: its actions and reports, as JSON. They contain values with which the
        // payer can be impersonated: a real shop authenticates the payer's app first.
        router.get("orders/:number/actions") { _, context in
            let payment = try await known(try context.parameters.require("number"))
            return try json(try await payment.openActions)
        }
        router.post("orders/:number/actions/:action") { request, context in
            let payment = try await known(try context.parameters.require("number"))
            let action = ActionID(rawValue: try context.parameters.require("action"))
            let body = try await request.body.collect(upTo: 1 << 20)
            let report = try JSONDecoder().decode(
                ClientReport.self,
                from: Data(body.readableBytesView)
            )
            let result = try await payment.report(report, on: action)
            return html(result == .late ? "late" : "accepted", plain)
        }
        // The state of the payment, for the shop's own pages; it contains no secrets.
        router.get("orders/:number/payment") { _, context in
            let view = try await known(try context.parameters.require("number")).view
            return try json(view)
        }
        // The lamp is shipped: now the money is captured, once, however often this is requested.
        router.post("orders/:number/shipment") { _, context in
            let number = try context.parameters.require("number")
            let capture = try await known(number).capture(
                Money(minorUnits: 12_500, currency: "SEK"),
                vat: Money(minorUnits: 2_500, currency: "SEK"),
                description: "Lamp",
                reference: "\(number)s1"
            )
            return html(capture.result?.rawValue ?? "unknown", plain)
        }
        return router
    }

    private func payment(_ number: String) async throws -> Payment? {
        try await service.payments(referencedBy: number).first
    }

    private func known(_ number: String) async throws -> Payment {
        guard let payment = try await payment(number) else { throw HTTPError(.notFound) }
        return payment
    }

    /// Returns what the payer's browser has to show.
    private func pageAction(_ number: String) async throws -> Payment.ClientAction {
        for try await action in try await known(number).clientActions {
            if case .showMenu = action.kind { return action }
        }
        throw HTTPError(.gone)
    }

    /// Handles that the payer left the PSP's page.
    private func left(_ report: ClientReport, _ number: String) async throws -> Response {
        for action in try await known(number).openActions {
            if case .showMenu = action.kind { try await action.report(report) }
        }
        return html("<!doctype html><title>Lamps</title><p>Thank you.</p>")
    }

    private func lamp(_ number: String) -> PaymentOrder {
        PaymentOrder(
            currency: "SEK",
            amount: 12_500,
            vatAmount: 2_500,
            description: "Lamp",
            userAgent: "shop/1",
            urls: PaymentOrderURLs(
                hosts: ["\(url)/"],
                complete: "\(url)/orders/\(number)/complete",
                cancel: "\(url)/orders/\(number)/cancel",
                payment: "\(url)/orders/\(number)/return",
                // A real shop adds an unpredictable part.
                callback: "\(url)/callbacks/\(number)"
            ),
            payeeInfo: PayeeInfo(
                payeeID: "shop",
                payeeReference: "\(number)o1",
                orderReference: number
            )
        )
    }
}

private let plain: HTTPFields = [.contentType: "text/plain"]

private func json(_ value: some Encodable) throws -> Response {
    html(
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self),
        [.contentType: "application/json"]
    )
}

private func seeOther(_ location: String) -> Response {
    Response(status: .seeOther, headers: [.location: location])
}

private func html(
    _ text: String,
    _ headers: HTTPFields = [.contentType: "text/html; charset=utf-8"]
) -> Response {
    Response(
        status: .ok,
        headers: headers,
        body: ResponseBody(byteBuffer: ByteBuffer(string: text))
    )
}
