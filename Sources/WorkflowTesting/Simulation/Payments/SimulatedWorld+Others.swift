public import EventLog
public import SwedbankPay
internal import Workflow

/// Somebody else acts on the same payment.
extension SimulatedWorld where Scenario == PaymentScenario {
    /// Whenever a session moves, others may have something to do with it, now or later.
    mutating func meetOthers(_ number: Int) {
        guard !scenario.isCareless else { return }
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
        plan(.elsewhere(actor), for: number, after: pause(milliseconds))
    }

    /// Somebody else acts; the PSP calls the merchant about orders, sooner or later.
    mutating func act(_ actor: OtherActor, on number: Int) {
        // Of an order that nobody was ever shown nobody has the page.
        let live = logs[number].live
        guard live.checkout.map({ $0.order != nil }) ?? true,
            scenario.provider.act(actor, on: residents[number].id)
        else { return }
        note(.requestArrives, node: nil, number, "somebody else: \(actor)")
        checkEffects(number)
        guard logs[number].live.checkout != nil, !chance(faults.reportNever) else { return }
        let received = CallbackReceived(digest: HashChain.hash(.zero, [UInt8(number & 255)]))
        give(.command(.callback(received)), of: number, after: pause(50...10_000))
    }

    /// The PSP refuses a request of an attempt that goes on, and later comes to an end by itself.
    mutating func refuseMidway(
        _ call: OperationCall,
        of number: Int,
        from node: Int
    ) -> ProviderAnswer.Outcome {
        note(
            .networkFault,
            node: node,
            number,
            "\(call.rel.rawValue) is refused, and the attempt goes on"
        )
        plan(.finishes(pays: chance(500)), on: number, within: 1000...200_000)
        return .refused(
            status: 400,
            document: ProblemDocument(type: "about:blank", status: 400),
            retryAfter: nil
        )
    }
}

/// Others, as the world asks for them.
extension PaymentScenario {
    /// A payment is refused midway, where somebody has a remedy.
    public static func refusal(
        of call: OperationCall,
        of number: Int,
        from node: Int,
        in world: inout PaymentWorld
    ) -> ProviderAnswer.Outcome? {
        guard !world.scenario.isCareless, call.isMidway, world.chance(world.faults.refusedMidway)
        else { return nil }
        return world.refuseMidway(call, of: number, from: node)
    }

    /// A payer pays on a page, or somebody else acts.
    public static func happens(
        _ what: Happening,
        to number: Int,
        in world: inout PaymentWorld
    ) {
        switch what {
        case .payment: world.pay(number)
        case .elsewhere(let actor): world.act(actor, on: number)
        }
    }

    /// Whenever a session moves, others may have something to do with it.
    public static func told(
        _ state: SessionState,
        of number: Int,
        in world: inout PaymentWorld
    ) {
        world.meetOthers(number)
    }

    /// The payer has the page on the screen.
    public static func published(
        _ state: SessionState,
        of number: Int,
        in world: inout PaymentWorld
    ) {
        world.planPayment(of: number, state)
    }

    /// An answer of success as another payment or order would have it, which is paid.
    public mutating func foreign(
        _ outcome: ProviderAnswer.Outcome,
        for session: SessionID,
        in state: SessionState
    ) -> ProviderAnswer.Outcome? {
        // Only the first answer says which payment it is: what is foreign shows from then on.
        guard files[session]?.newest.isEmpty == false else { return nil }
        switch outcome {
        case .snapshot(var snapshot, let status):
            let redirect = Operation(
                rel: .redirectPayer,
                method: "GET",
                href: secrets.seal("redirect"),
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
            guard state.checkout?.order?.id != nil else { return nil }
            order.id = "/psp/paymentorders/of-somebody-else"
            order.number = 1
            order.status = .paid
            order.paid = order.paid ?? PaidDetails(amount: order.amount)
            return .order(order, status: status)
        default: return nil
        }
    }
}
