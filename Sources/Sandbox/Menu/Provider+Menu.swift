extension Provider {
    /// The current menu.
    func menuPage(_ token: String) throws(ProblemDetail) -> Reply {
        guard case .menu(let id)? = address(of: token) else { throw .notFound }
        var order = try order(id)
        order.menu.happenings = []
        if order.history.count == 1 { order.note("PaymentLoaded", by: .payer, at: moment) }
        keep(order)
        return MenuPage(order: order, view: order.menuView, payer: payer).reply
    }

    /// The menu after the payer has pressed a button.
    func pressMenu(
        _ token: String,
        _ button: String,
        _ form: [String: String]
    )
        throws(ProblemDetail) -> Reply
    {
        guard case .menu(let id)? = address(of: token) else { throw .notFound }
        var order = try order(id)
        let pressed = try order.press(button, form, at: moment)
        keep(order)
        if let card = pressed.remembered, let payer = order.request.payerReference {
            remember(card, of: payer)
        }
        return MenuPage(order: order, view: pressed.view, payer: payer).reply
    }

    /// The automatic payer, if one is configured.
    var payer: AutomaticPayer? { configuration.payerDelay.map { AutomaticPayer(delay: $0) } }

    /// The page to which a method of the menu redirects.
    func bankPage(_ token: String) throws(ProblemDetail) -> Reply {
        guard case .bank? = address(of: token) else { throw .notFound }
        return .page(BankPage.html("\(baseURL)/sandbox/bank/\(token)"))
    }

    /// Accepts the payer's decision at the bank and redirects to the merchant.
    func decideBank(_ token: String, _ decision: String) throws(ProblemDetail) -> Reply {
        guard case .bank(let id)? = address(of: token) else { throw .notFound }
        guard decision == "approve" || decision == "cancel" else { throw .notFound }
        var order = try order(id)
        order.decideAway(token, approves: decision == "approve", at: moment)
        keep(order)
        let urls = order.request.urls
        let target = urls.paymentURL ?? urls.completeURL
        return Reply(status: 303, body: .none, location: target)
    }

    /// Plays the payer in the menu without a browser.
    ///
    /// The response contains the messages that the surrounding page would have received.
    func playMenu(
        _ name: String,
        _ action: String,
        method: String?,
        problem: String?
    )
        throws(ProblemDetail) -> Reply
    {
        var id = name
        if case .session(let order)? = address(of: name) { id = order }
        var order = try order(id)
        let method = method ?? order.visibleMethods.first ?? MethodName.creditCard
        var view: MenuView?
        if order.outcome == nil {
            switch action {
            case "pay": order.payElsewhere(method, at: moment)
            case "decline":
                let asked = ScriptedProblem(problem ?? "creditcard/carddeclined")
                order.failInMenu(method, with: asked.problem, at: moment)
            case "cancel", "fail": view = try order.press(action, [:], at: moment).view
            default: throw .notFound
            }
            keep(order)
        }
        let page = MenuPage(order: order, view: view ?? order.menuView)
        return .ok([
            "order": .string(order.id), "status": .string(order.status), "told": page.event,
        ])
    }
}
