internal import EventLog
package import SwedbankPay

extension EventWords {
    /// The words for what only checkouts have.
    package init(_ event: CheckoutEvent) {
        switch event {
        case .checkoutOpened(let opened):
            let reference = opened.reference.map { ", reference \(Screen.safe($0.shown))" } ?? ""
            let way = opened.gateway == .psp ? "at" : "through the backend"
            self.init(.client, "checkout taken in \(way) \(Screen.safe(opened.host))" + reference)
        case .endpointsDiscovered(let discovered):
            let checkIn = discovered.endpoints.consumers == nil ? "" : " and check-in"
            self.init(.psp, "the backend takes orders" + checkIn)
        case .checkInOffered: self.init(.psp, "the payer can check in")
        case .checkInRequested(let requested):
            self.init(.engine, "\(requested.action.rawValue): show the check-in, please")
        case .checkInShown(let answer):
            self.init(.client, "\(answer.action.rawValue): the check-in is on the screen")
        case .payerCheckedIn(let checkedIn):
            self.init(.client, "\(checkedIn.action.rawValue): the payer is identified")
        case .checkInClosed(let answer):
            self.init(.client, "\(answer.action.rawValue): goes on without check-in")
        case .checkInFailed(let failure):
            self.init(.problem, "\(failure.action.rawValue): the check-in failed")
        case .orderFetched(let fetched): self.init(fetched)
        case .instrumentChosen(let chosen):
            self.init(.client, "wants to pay with \(Screen.safe(chosen.instrument.rawValue))")
        case .externalContentOpened(let left):
            self.init(.client, "\(left.action.rawValue): sent to \(left.words)")
        case .navigated(let step):
            self.init(.client, "\(step.action.rawValue): the page went to \(step.words)")
        case .termsOfServiceOpened(let answer):
            self.init(.client, "\(answer.action.rawValue): the payer reads the terms")
        case .handedOver(let handed):
            self.init(.engine, "native session \(handed.session) takes over")
        case .handedBack(let handed):
            let end = handed.outcome.map { ", " + $0.rawValue } ?? ""
            self.init(.engine, "native session \(handed.session) gives back" + end)
        case .orderConfirmed(let confirmed):
            let amount = StoryWords.money(confirmed.amount, confirmed.currency, ": ")
            let words =
                confirmed.amount == 0
                ? "the details are verified; nothing was charged" : "it is paid" + amount
            self.init(.end, "confirmed: the order says that " + words)
        case .transactionRequested(let request):
            let amount = request.amount.map { " of \($0) minor units" } ?? ""
            self.init(.client, "\(request.kind.rawValue)\(amount) is asked for")
        case .transactionSettled(let settled):
            self.init(
                settled.result.isDone ? .psp : .problem,
                "\(Screen.safe(settled.payeeReference)): \(settled.result.words)"
            )
        }
    }

    private init(_ fetched: OrderFetched) {
        guard let order = fetched.order else {
            self.init(.psp, "\(Screen.safe(fetched.cause.rawValue)): nothing new")
            return
        }
        var parts = [order.status.map { Screen.safe($0.rawValue) } ?? "an order"]
        if order.purpose == PaymentOrderPurpose.verify.rawValue {
            parts = ["for a verification (\(parts[0]))"]
        }
        if let instrument = order.instrument { parts.append(Screen.safe(instrument.rawValue)) }
        if let transactions = order.transactions, !transactions.isEmpty {
            parts.append("\(transactions.count) transactions")
        }
        self.init(
            .psp,
            "\(Screen.safe(fetched.cause.rawValue)): order " + parts.joined(separator: ", ")
        )
    }
}

extension Navigated {
    /// Where to, for people.
    fileprivate var words: String {
        let target = destination.map { Screen.safe($0) } ?? "another page"
        switch place {
        case .webView: return target
        case .browser: return target + " in the browser"
        case .app: return target + " in an app"
        }
    }
}
