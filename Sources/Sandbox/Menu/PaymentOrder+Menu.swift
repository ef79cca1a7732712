extension PaymentOrder {
    /// Returns the content of the menu when it is opened.
    ///
    /// A payer who left for a bank and returned without a decision may choose again.
    var menuView: MenuView {
        switch outcome {
        case .paid: return .paid
        case .aborted: return .canceled
        case .failed: return .failed
        case nil: break
        }
        if case .authentication? = menu.visit { return .authentication }
        let methods = visibleMethods
        if let expanded = menu.expanded, methods.contains(expanded) { return .method(expanded) }
        return methods.count == 1 ? .method(methods[0]) : .methods
    }

    /// The address of the menu's page.
    var menuURL: String { "\(baseURL)/psp/menu/\(menuToken)" }

    private func bankURL(_ token: String) -> String { "\(baseURL)/sandbox/bank/\(token)" }

    /// Performs what the payer pressed, and returns what the menu shows next.
    ///
    /// The card is returned if the payer wants it to be remembered.
    mutating func press(
        _ button: String,
        _ form: [String: String],
        at moment: Moment
    )
        throws(ProblemDetail) -> (view: MenuView, remembered: TestCard?)
    {
        menu.happenings = []
        guard outcome == nil else { return (menuView, nil) }
        menu.notice = nil
        var remembered: TestCard?
        switch button {
        case "choose":
            abandonVisit(at: moment)
            menu.expanded = nil
            let method = form["method"] ?? ""
            guard visibleMethods.contains(method) else { return (menuView, nil) }
            menu.happenings.append(.selected(method))
            note("PaymentInstrumentSelected", by: .payer, instrument: method, at: moment)
            return (.method(method), nil)
        case "pay":
            let method = form["method"] ?? ""
            guard visibleMethods.contains(method) else { throw .notFound }
            let before = attempts.count
            remembered = payInMenu(method, form, at: moment)
            if attempts.count > before || menu.visit != nil {
                menu.happenings.append(.attemptStarted(method))
            }
            if menu.notice != nil, outcome == nil { return (.method(method), nil) }
            if case .away(_, let token)? = menu.visit { return (.leaving(bankURL(token)), nil) }
        case "approve", "decline":
            guard case .authentication(let card, let isRemembered)? = menu.visit else { break }
            menu.visit = nil
            if button == "approve" {
                authorizeInMenu(MethodName.creditCard, card, at: moment)
                remembered = isRemembered && outcome != nil ? card : nil
            } else {
                failInMenu(MethodName.creditCard, with: Challenge.cancelled, at: moment)
            }
        case "cancel": close(as: .aborted(reason: "CancelledByPayer"), at: moment)
        case "fail": return (.broken, nil)
        default: throw .notFound
        }
        return (menuView, remembered)
    }

    /// Aborts what the payer had started at a bank or issuer.
    private mutating func abandonVisit(at moment: Moment) {
        guard let method = menu.visit?.method else { return }
        menu.visit = nil
        menu.happenings.append(.attemptAborted(method))
        append(method, as: .aborted, at: moment)
        note("PaymentAttemptAborted", by: .payer, instrument: method, at: moment)
    }

    private mutating func payInMenu(
        _ method: String,
        _ form: [String: String],
        at moment: Moment
    ) -> TestCard? {
        switch method {
        case MethodName.creditCard:
            guard let card = enteredCard(form) else { return nil }
            let isRemembered = menu.asksForConsent && form["consent"] == "yes"
            if card.authentication.challenges {
                menu.visit = .authentication(card, isRemembered: isRemembered)
                return nil
            }
            authorizeInMenu(method, card, at: moment)
            return isRemembered && outcome != nil ? card : nil
        case MethodName.swish:
            guard SwishNumber.isValid(form["msisdn"] ?? "") else {
                menu.notice = "Enter a phone number such as +46739000001."
                return nil
            }
            switch SwishOutcome.asked(by: request.description) {
            case .approved: payElsewhere(method, at: moment)
            case .refused(let problem): failInMenu(method, with: problem, at: moment)
            case nil: menu.notice = "Waiting for Swish."
            }
        default:
            guard MethodName.leavesMenu(method) else {
                payElsewhere(method, at: moment)
                return nil
            }
            let token = OpaqueToken.make()
            issue(token, .bank(order: id))
            menu.visit = .away(method: method, token: token)
        }
        return nil
    }

    /// The card that the payer chose or entered; `nil`, with a message, when there is none.
    private mutating func enteredCard(_ form: [String: String]) -> TestCard? {
        if let token = form["paymentToken"], !menu.hidesStoredOptions {
            return cards.first { $0.paymentToken == token }?.card
        }
        let number = (form["cardNumber"] ?? "").rewriting(" ", as: "")
        let expiry = (form["expiryDate"] ?? "").rewriting(" ", as: "").pieces(between: "/")
        let code = form["cvc"] ?? ""
        guard let card = TestCard.all[number] else {
            menu.notice = "The card number is not one of a test card."
            return nil
        }
        let isExpiry =
            expiry.count == 2 && expiry[1].count == 2 && Int(expiry[1]) != nil
            && Int(expiry[0]).map { (1...12).contains($0) } == true
        guard isExpiry else {
            menu.notice = "Enter the expiry date as MM/YY."
            return nil
        }
        guard (3...4).contains(code.count), code.allSatisfy(\.isNumber) else {
            menu.notice = "Enter the security code."
            return nil
        }
        return card
    }

    private mutating func authorizeInMenu(
        _ method: String,
        _ card: TestCard,
        at moment: Moment
    ) {
        let tries = attempts.count + 1
        if let problem = CardDecline.problem(for: request.amount, tries: tries) {
            failInMenu(method, with: problem, at: moment)
        } else {
            payElsewhere(method, card: card, at: moment)
        }
    }

    /// Fails an attempt in the menu, which reports it to the payer; the session does not.
    mutating func failInMenu(_ method: String, with problem: ProblemDetail, at moment: Moment) {
        menu.visit = nil
        menu.notice = "The payment failed: \(problem.title). Try again or choose another method."
        append(method, as: .failed(problem), at: moment)
    }

    /// Performs what the payer decided on the method's own page.
    mutating func decideAway(_ token: String, approves: Bool, at moment: Moment) {
        guard case .away(let method, let known)? = menu.visit, known == token else { return }
        menu.visit = nil
        guard outcome == nil else { return }
        if approves {
            payElsewhere(method, at: moment)
        } else {
            let problem = ProblemDetail(
                slug: "usercancelled",
                status: 403,
                title: "User cancelled",
                detail: "The payer cancelled at the bank."
            )
            failInMenu(method, with: problem, at: moment)
        }
    }
}
