internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// An order that a sandbox treats like the original's, made from the log's cleartext values.
enum SandboxDocument {
    /// Returns the order of a checkout as JSON text: its purpose, amount, currency, language,
    /// method and addresses.
    ///
    /// It has no callback address, so the sandbox sends no callbacks.
    static func text(like checkout: CheckoutState) -> String {
        let (terms, order) = (checkout.opening.terms, checkout.order)
        let known = Self.urls(like: terms.urls.completed(by: order?.urls))
            .clear(in: SecretTable())
        let hosts = known.hosts.isEmpty ? [shop] : known.hosts
        var urls: [JSONValue.Member] = [
            .init("hostUrls", .array(hosts.map { .string($0) })),
            .init("completeUrl", .string(known.complete ?? shop + "complete")),
        ]
        let others = [
            ("cancelUrl", known.cancel),
            ("paymentUrl", known.payment),
            ("termsOfServiceUrl", known.termsOfService),
        ]
        for (name, url) in others { if let url { urls.append(.init(name, .string(url))) } }
        var members: [JSONValue.Member] = [
            .init("operation", .string(terms.purpose)),
            .init("currency", .string(order?.currency ?? terms.currency ?? "SEK")),
            .init("description", .string("Fork of a payment")),
            .init("language", .string(terms.language ?? "en-US")),
            .init("urls", .object(urls)),
            .init("payeeInfo", ["payeeId": .string("sandbox")]),
        ]
        if let amount = order?.amount ?? terms.amount {
            members.append(.init("amount", .integer(amount.minorUnits)))
            members.append(.init("vatAmount", .integer(order?.vatAmount?.minorUnits ?? 0)))
        }
        if checkout.opening.generation == .v3 {
            members.append(.init("productName", .string("Checkout3")))
        }
        let method = terms.instrument.map { order?.instrument ?? $0 }
        if let method { members.append(.init("instrument", .string(method.rawValue))) }
        return JSONDocument.text(.object(members))
    }

    private static let shop = "https://shop.example/"

    /// Returns the addresses of a log, with substitutes for the sealed ones.
    static func urls(like urls: OrderURLs) -> OrderURLs {
        func address(_ known: OutsideText, _ name: String) -> OutsideText {
            .plain(known.inTheClear ?? shop + name)
        }
        return OrderURLs(
            complete: urls.complete.map { address($0, "complete") },
            cancel: urls.cancel.map { address($0, "cancel") },
            payment: urls.payment.map { address($0, "payment") },
            hosts: urls.hosts.map { address($0, "") },
            termsOfService: urls.termsOfService.map { address($0, "terms") }
        )
    }

    /// Returns an unused reference.
    ///
    /// - Note: Source: payment order API, payeeReference: letters and digits, at most 30.
    static func reference() -> String {
        let random = SystemRandom()
        return "F"
            + (0..<2).map { _ in String(random.next(), radix: 36, uppercase: true) }.joined()
    }
}
