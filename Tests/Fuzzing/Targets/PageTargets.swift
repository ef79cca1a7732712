@testable import PaymentPages
@testable import SwedbankPay

extension FuzzTarget {
    /// What an issuer's page posts, and where web views navigate: a URL, and a form in the
    /// following line.
    static let challenge = FuzzTarget(
        name: "challenge",
        maximumLength: 8192,
        growths: [
            .repeating("a=b&", after: "\n"), .repeating("&", after: "\n"),
            .repeating("%41", after: "\ncres="),
            .repeating("cres=a&", after: "\n"), .repeating("+", after: "\ncres="),
            .repeating("%", after: "\n"),
        ],
        check: { bytes throws(Broken) in
            let url = Lines(bytes)[0]
            let body = Array(bytes.drop { $0 != 0x0A }.dropFirst())
            var response: ChallengeResult?
            do throws(ChallengeResultError) {
                response = try ChallengeResult(url: url, body: body)
            } catch {
                try Canary.isAbsent(from: "\(error)")
            }
            if let response { try FuzzTarget.check(response) }
            if let form = try? FormFields(body) {
                try hold(
                    form.fields.count <= FormFields.maximumFields,
                    "the bound on fields is kept"
                )
            }
            try checkNavigation(to: url, posting: body)
            return response != nil
        }
    )

    private static func check(_ response: ChallengeResult) throws(Broken) {
        try Canary.isAbsent(from: "\(response)")
        guard case .completed(let response) = response else { return }
        try hold(
            (1...ChallengeResult.maximumLength).contains(response.utf8.count)
                && response.utf8.allSatisfy { (0x21...0x7E).contains($0) },
            "a response is visible and bounded"
        )
    }

    private static func checkNavigation(to url: String, posting body: [UInt8]) throws(Broken) {
        let scripts: Set<String?> = ["javascript", "data", "blob", "file", nil]
        let scheme = AppLink.scheme(of: url)
        let notification = "https://shop.example/3ds?x=1"
        if let rules = try? ChallengeNavigation(notificationURL: notification) {
            let decision = rules.decision(for: url, body: body)
            if scripts.contains(scheme) {
                try hold(decision == .refused, "no script and no file is loaded")
            }
            if case .ended = decision {
                try hold(PaymentURL.isEquivalent(url, notification), "answers come to our address")
            }
        }
        let menu = PaymentMenu(
            script: "https://ecom.payex.com/menu.js",
            baseURL: "https://shop.example/",
            completeURL: "https://shop.example/complete",
            cancelURL: "https://shop.example/cancel",
            paymentURL: "https://shop.example/pay?id=7f0c"
        )
        guard
            let rules = try? MenuNavigation(
                menu,
                callbackScheme: "shopapp",
                resultURL: "https://shop.example/result"
            )
        else { throw Broken(description: "the menu has rules") }
        let decision = rules.decision(for: url)
        if scripts.contains(scheme) { try hold(decision == .refused, "no script is loaded") }
        if decision == .completed {
            try hold(
                AddressParts(url)?.host == "shop.example",
                "only the merchant's own address completes"
            )
        }
        if case .reported(let event) = decision {
            try hold(
                event.event.utf8.count <= PageEvent.maximumLength,
                "the bound on events is kept"
            )
        }
    }
}
