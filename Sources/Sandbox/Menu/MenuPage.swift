/// The page of the hosted payment menu: plain forms in a frame of the shop's page.
///
/// Every button has an id (`method-Swish`, `card-1`, `pay`, `approve`, `decline`, `cancel`, `fail`,
/// `back`), so that a test can press it.
struct MenuPage {
    let order: PaymentOrder
    let view: MenuView
    /// Presses the buttons automatically, if set.
    var payer: AutomaticPayer?

    /// The page as a response.
    var reply: Reply {
        FramedPage(
            title: "Payment menu",
            heading: order.request.payeeName ?? "Sandbox Shop",
            events: events,
            content: content,
            payer: payer
        ).reply
    }

    /// The message to the surrounding page.
    var event: JSON {
        var members: [String: JSON] = [
            "event": .string(view.event), "id": .string("/psp/paymentorders/\(order.id)"),
        ]
        switch view {
        case .methods, .authentication: break
        case .method(let name): members["instrument"] = .string(name)
        case .leaving(let url): members["redirectUrl"] = .string(url)
        case .paid: members["redirectUrl"] = .string(order.request.urls.completeURL)
        case .canceled: members["redirectUrl"] = .optional(order.request.urls.cancelURL)
        case .failed, .broken:
            members["origin"] = "paymentmenu"
            members["messageId"] = view == .failed ? "paymentfailed" : "menufailed"
            members["details"] = "The payment menu cannot go on."
        }
        return .object(members)
    }

    private var events: [JSON] {
        let before = order.menu.happenings.map(\.document)
        guard order.menu.notice != nil else { return before + [event] }
        return before + [
            event, ["event": "attemptFailed", "details": .optional(order.menu.notice)],
        ]
    }

    private var content: String {
        let amount = WalletTask.decimal(order.request.amount)
        return """
            <p>\(HTMLText.escaped(order.request.description)): \
            \(amount) \(HTMLText.escaped(order.request.currency))</p>
            \(notice)\(choices)\(abandoning)\(links)
            """
    }

    /// The form that aborts the payer's visit to a bank or issuer.
    private var abandoning: String {
        guard order.menu.visit != nil else { return "" }
        return
            "<form id=\"form-abandon\" method=\"post\" action=\"\(order.menuURL)/choose\"></form>\n"
    }

    /// Links that leave the menu unchanged: the shop's terms, and the PSP's own page about privacy.
    private var links: String {
        let urls = [
            ("terms", "Terms of service", order.request.urls.termsOfServiceURL),
            ("outOfViewOpen", "Privacy", "\(order.baseURL)/psp/privacy"),
        ]
        return urls.map { event, label, url in
            guard let url else { return "" }
            let told: JSON = ["event": .string(event), "openUrl": .string(url)]
            let text = HTMLText.escaped(String(decoding: told.bytes, as: UTF8.self))
            return
                "<button id=\"\(event)\" type=\"button\" data-told=\"\(text)\">\(label)</button>\n"
        }.joined()
    }

    private var notice: String {
        order.menu.notice.map { "<p class=\"notice\" role=\"alert\">\(HTMLText.escaped($0))</p>\n" }
            ?? ""
    }

    private var choices: String {
        switch view {
        case .methods:
            return order.visibleMethods.map { name in
                form("choose", button("method-\(name)", name), hidden("method", name))
            }.joined() + ending
        case .method(let name):
            return fields(of: name) + (order.visibleMethods.count > 1 ? back : "") + ending
        case .authentication:
            return "<h2>Sandbox bank</h2>\n" + form("approve", button("approve", "Approve"))
                + form("decline", button("decline", "Decline")) + back
        case .leaving(let url):
            return "<p><a id=\"leave\" target=\"_top\" href=\"\(HTMLText.escaped(url))\">"
                + "Continue at the bank</a></p>\n" + back
        case .paid: return "<p id=\"paid\">The payment is complete.</p>\n"
        case .canceled: return "<p id=\"canceled\">The payment was cancelled.</p>\n"
        case .failed, .broken: return "<p id=\"failed\">The payment failed.</p>\n"
        }
    }

    private func fields(of name: String) -> String {
        let title = "<h2>\(HTMLText.escaped(name))</h2>\n"
        let method = hidden("method", name)
        switch name {
        case MethodName.creditCard:
            let consent =
                "<label><input type=\"checkbox\" id=\"consent\" name=\"consent\" value=\"yes\"> "
                + "Remember my card</label>\n"
            return title + (order.menu.hidesStoredOptions ? "" : storedCards)
                + form(
                    "pay",
                    method + input("cardNumber", "Card number") + input("expiryDate", "MM/YY")
                        + input("cvc", "CVC") + (order.menu.asksForConsent ? consent : ""),
                    button("pay", "Pay")
                )
        case MethodName.swish:
            let number = order.request.msisdn ?? ""
            return title
                + form(
                    "pay",
                    method + input("msisdn", "Phone number", number),
                    button("pay", "Pay")
                )
        default:
            return title + form("pay", method, button("pay", "Pay with \(name)"))
        }
    }

    private var storedCards: String {
        order.cards.enumerated().map { place, saved in
            form(
                "pay",
                hidden("method", MethodName.creditCard),
                hidden("paymentToken", saved.paymentToken),
                button("card-\(place + 1)", "\(saved.card.brand) \(saved.card.maskedNumber)")
            )
        }.joined()
    }

    private var back: String { form("choose", button("back", "Other methods")) }

    private var ending: String {
        form("cancel", button("cancel", "Cancel")) + form("fail", button("fail", "Break the menu"))
    }

    private func form(_ action: String, _ parts: String...) -> String {
        "<form id=\"form-\(action)\" method=\"post\" action=\"\(order.menuURL)/\(action)\">\n"
            + parts.joined() + "</form>\n"
    }

    private func button(_ id: String, _ label: String) -> String {
        "<button id=\"\(HTMLText.escaped(id))\" type=\"submit\">"
            + "\(HTMLText.escaped(label))</button>\n"
    }

    private func hidden(_ name: String, _ value: String) -> String {
        "<input type=\"hidden\" name=\"\(name)\" value=\"\(HTMLText.escaped(value))\">\n"
    }

    private func input(_ name: String, _ label: String, _ value: String = "") -> String {
        "<label>\(label) <input id=\"\(name)\" name=\"\(name)\" "
            + "value=\"\(HTMLText.escaped(value))\" autocomplete=\"off\"></label>\n"
    }
}
