internal import EventLog
internal import SwedbankPay

/// Describes the events of checkouts.
extension EventDescription {
    init(_ event: CheckoutEvent, currency: String?) {
        self =
            switch event {
            case .checkoutOpened(let opened): Self(opened)
            case .endpointsDiscovered(let discovered): Self(discovered)
            case .checkInOffered: Self(.psp, from: .psp, "the payer can check in", input: .resumed)
            case .checkInRequested(let requested):
                .question(.checkIn, requested.action, "show the check-in")
            case .checkInShown(let response): .shown(response.action, "check-in shown")
            case .payerCheckedIn(let checkedIn):
                .reported(
                    checkedIn.action,
                    .checkedIn(consumerProfileRef: checkedIn.consumerProfileRef),
                    "the payer is identified"
                )
            case .checkInClosed(let response):
                .reported(response.action, .canceled, "the payer continues without check-in")
            case .checkInFailed(let failure): .failure(failure, "the check-in failed")
            case .orderFetched(let fetched): Self(.psp, from: .psp, fetched.words)
            case .instrumentChosen(let chosen): Self(chosen)
            case .externalContentOpened(let left):
                Self(
                    .leftForExternalContent(
                        destination: left.destination,
                        left.place,
                        url: left.url
                    ),
                    left.action,
                    from: .psp,
                    to: .payer,
                    "sent to \(left.words)",
                    .leaving
                )
            case .navigated(let step):
                Self(
                    .navigated(destination: step.destination, step.place, url: step.url),
                    step.action,
                    from: .psp,
                    to: .payer,
                    "the page navigated to \(step.words)",
                    .note(over: .app ... .app)
                )
            case .termsOfServiceOpened(let response):
                Self(
                    .openedTermsOfService,
                    response.action,
                    from: .payer,
                    to: .engine,
                    "terms of service opened",
                    .showing
                )
            case .handedOver(let handed): Self(handed)
            case .handedBack(let handed): Self(handed)
            case .orderConfirmed(let confirmed): Self(confirmed)
            case .transactionRequested(let request):
                .command(.checkout(.transact(request)), request.words(currency))
            case .transactionSettled(let settled): Self(settled)
            }
    }

    /// Describes a client's report about an open page.
    private init(
        _ outcome: ReportOutcome,
        _ action: ActionID,
        from: Lane,
        to: Lane,
        _ words: String,
        _ shape: SequenceDiagram.Shape
    ) {
        self.init(
            .client,
            from: from,
            to: to,
            "\(action.rawValue): \(words)",
            shape: shape,
            input: .report(ActionReport(action: action, outcome: outcome))
        )
    }

    private init(_ opened: CheckoutOpened) {
        let way = opened.gateway == .psp ? "at" : "through the backend"
        self = .command(
            .checkout(.open(opened)),
            "checkout opened \(way) \(Screen.safe(opened.host))"
                + Self.reference(opened.reference),
            story: .fact(.takenIn(host: opened.host, isCheckout: true, isHandedOver: false))
        )
    }

    private init(_ discovered: EndpointsDiscovered) {
        let checkIn = discovered.endpoints.consumers == nil ? "" : " and check-in"
        self.init(.psp, from: .psp, "the backend supports orders" + checkIn)
    }

    private init(_ chosen: InstrumentChosen) {
        self.init(
            .client,
            from: .payer,
            "the payer chose \(Screen.safe(chosen.instrument.rawValue))",
            story: .fact(.order(.instrument(chosen.instrument))),
            input: .command(.checkout(.instrument(chosen.instrument)))
        )
    }

    private init(_ handed: HandedOver) {
        self.init(
            .engine,
            from: .app,
            "handed over to native session \(handed.session)",
            shape: .engineAlone,
            story: .fact(.order(.handedOver(handed.session))),
            input: .command(.checkout(.handOver(handed.session)))
        )
    }

    private init(_ handed: HandedBack) {
        let end = handed.outcome.map { ", " + $0.rawValue } ?? ""
        self.init(
            .engine,
            from: .app,
            "native session \(handed.session) handed back" + end,
            shape: .engineAlone,
            story: .fact(.order(.handedBack(handed.session, handed.outcome))),
            input: .command(.checkout(.handBack(handed)))
        )
    }

    private init(_ confirmed: OrderConfirmed) {
        let amount = StoryWords.money(confirmed.amount, confirmed.currency, ", ")
        let words =
            confirmed.amount == 0
            ? "the details are verified; nothing was charged" : "paid as ordered" + amount
        self.init(
            .end,
            from: .psp,
            "confirmed by the order: " + words,
            shape: .everyone,
            tone: .good
        )
    }

    private init(_ settled: TransactionSettled) {
        self.init(
            settled.result.isDone ? .psp : .problem,
            from: .psp,
            "\(Screen.safe(settled.payeeReference)): \(settled.result.words)",
            story: .fact(.order(.transactionSettled(settled))),
            input: .resumed
        )
    }
}

extension OrderFetched {
    fileprivate var words: String {
        guard let order else { return "\(Screen.safe(cause.rawValue)): no change" }
        var parts = [order.status.map { Screen.safe($0.rawValue) } ?? "without status"]
        if order.purpose == PaymentOrderPurpose.verify.rawValue {
            parts = ["for a verification (\(parts[0]))"]
        }
        if let instrument = order.instrument { parts.append(Screen.safe(instrument.rawValue)) }
        if let transactions = order.transactions, !transactions.isEmpty {
            parts.append(
                transactions.count == 1 ? "1 transaction" : "\(transactions.count) transactions"
            )
        }
        return "\(Screen.safe(cause.rawValue)): order " + parts.joined(separator: ", ")
    }
}

extension TransactionRequest {
    fileprivate func words(_ currency: String?) -> String {
        "\(kind.words)\(StoryWords.money(amount, currency, " of ")) requested"
    }
}

extension TransactionKind {
    /// The kind as a noun.
    var words: String {
        switch self {
        case .capture: "capture"
        case .cancel: "cancellation"
        case .reversal: "reversal"
        }
    }
}

extension Navigated {
    /// The target as text.
    fileprivate var words: String {
        let target = destination.map { Screen.safe($0) } ?? "another page"
        switch place {
        case .webView: return target
        case .browser: return target + " in the browser"
        case .app: return target + " in an app"
        }
    }
}
