import EventLog
import SwedbankPay

/// Somebody else acts on the same payment.
extension SimulatedWorld {
    /// Whenever a session moves, others may have something to do with it, now or later.
    mutating func meetOthers(_ number: Int) {
        guard !provider.isCareless else { return }
        if chance(faults.otherDevice) {
            let method: PaymentMethodName = chance(500) ? .swish : .creditCard
            plan(.begins(method), on: number, within: 0...20_000)
            // One in three leaves it as it is.
            if !chance(333) {
                plan(.finishes(pays: chance(500)), on: number, within: 20_000...200_000)
            }
        }
        guard chance(faults.portal) else { return }
        let acts: [OtherActor] = [
            .aborts, .changesAmount, .transacts(.capture, thousandths: 400),
            .transacts(.capture, thousandths: 1000), .transacts(.cancel, thousandths: 1000),
            .transacts(.reversal, thousandths: 300), .transacts(.reversal, thousandths: 1000),
        ]
        plan(acts[Int(generator.next() % UInt64(acts.count))], on: number, within: 0...300_000)
    }

    private mutating func plan(
        _ actor: OtherActor,
        on number: Int,
        within milliseconds: ClosedRange<Int64>
    ) {
        agenda.add(.elsewhere(number, actor), at: now + pause(milliseconds), 0, life: nil)
    }

    /// Somebody else acts; the PSP calls the merchant about orders, sooner or later.
    mutating func act(_ actor: OtherActor, on number: Int) {
        // Of an order that nobody was ever shown nobody has the page.
        let live = logs[number].live
        guard live.checkout.map({ $0.order != nil }) ?? true,
            provider.act(actor, on: residents[number].id)
        else { return }
        note(.requestArrives, node: nil, number, "somebody else: \(actor)")
        checkMoney(number)
        guard logs[number].live.checkout != nil, !chance(faults.reportNever) else { return }
        let received = CallbackReceived(digest: HashChain.hash(.zero, [UInt8(number & 255)]))
        agenda.add(
            .client(number, .command(.callback(received)), tries: 1),
            at: now + pause(50...10_000),
            anyNode(),
            life: nil
        )
    }

    /// The PSP refuses a request of an attempt that goes on, and later comes to an end by itself.
    mutating func refuseMidway(_ exchange: Exchange, _ node: Int) {
        let number = exchange.session
        note(
            .networkFault,
            node: node,
            number,
            "\(exchange.call.rel.rawValue) is refused, and the attempt goes on"
        )
        plan(.finishes(pays: chance(500)), on: number, within: 1000...200_000)
        answer(
            .refused(
                status: 400,
                document: ProblemDocument(type: "about:blank", status: 400),
                retryAfter: nil
            ),
            exchange,
            node
        )
    }

    /// An answer of success as another payment or order would have it, which is paid.
    mutating func foreign(
        _ outcome: ProviderAnswer.Outcome,
        for number: Int
    ) -> ProviderAnswer.Outcome? {
        switch outcome {
        case .snapshot(var snapshot, let status):
            let redirect = Operation(
                rel: .redirectPayer,
                method: "GET",
                href: provider.secrets.seal("redirect"),
                isNext: true,
                target: .complete
            )
            snapshot.operations = [redirect]
            snapshot.methods = []
            snapshot.problem = nil
            snapshot.urls.complete = "https://other.example/complete"
            return .snapshot(snapshot, status: status)
        case .order(var order, let status):
            // An order that nobody knows yet has nothing that another one could differ in.
            guard logs[number].live.checkout?.order?.id != nil else { return nil }
            order.id = "/psp/paymentorders/of-somebody-else"
            order.number = 1
            order.status = .paid
            order.paid = order.paid ?? PaidDetails(amount: order.amount)
            return .order(order, status: status)
        default: return nil
        }
    }
}
