public import EventLog
public import SwedbankPay
internal import Workflow

/// Other parties act on the same payment.
extension SimulatedWorld where Scenario == PaymentScenario {
    /// Draws whether other parties act after a session's progress, now or later.
    mutating func meetOthers(_ number: Int) {
        guard !scenario.isCareless else { return }
        if chance(faults.otherDevice) {
            let method: PaymentMethodName = chance(500) ? .swish : .creditCard
            plan(.begins(method), on: number, within: 0...20_000)
            // One device in three leaves the payment unfinished.
            if !chance(333) {
                plan(.finishes(pays: chance(500)), on: number, within: 20_000...200_000)
            }
        }
        meetProvider(number)
        guard chance(faults.portal) else { return }
        let acts: [OtherActor] = [
            .aborts, .changesAmount, .transacts(.capture, thousandths: 400),
            .transacts(.capture, thousandths: 1000), .transacts(.cancel, thousandths: 1000),
            .transacts(.cancel, thousandths: 250),
            .transacts(.reversal, thousandths: 300), .transacts(.reversal, thousandths: 1000),
        ]
        plan(acts[Int(generator.next() % UInt64(acts.count))], on: number, within: 0...300_000)
    }

    /// Draws whether the PSP itself changes something, or somebody pays in the last minute before
    /// the session expires.
    private mutating func meetProvider(_ number: Int) {
        let session = residents[number].id
        if let checkout = scenario.provider.checkouts[session], checkout.stage == .paid {
            if checkout.pending != nil, chance(300) {
                plan(.settles(performs: chance(500)), on: number, within: 1000...300_000)
            }
            guard chance(faults.changedMind) else { return }
            let moods = SimulatedProvider.Checkout.Mood.allCases
            for _ in 0..<2 {
                let mood = moods[Int(generator.next() % UInt64(moods.count))]
                plan(.changesMind(mood), on: number, within: 1000...300_000)
            }
            return
        }
        let live = logs[number].live
        guard live.payment != nil, live.outcome == nil, chance(faults.lastMinute),
            scenario.files[session]?.isLastMinutePlanned != true
        else { return }
        scenario.files[session, default: PaymentScenario.File()].isLastMinutePlanned = true
        let left = scenario.rules.limits.session - (now - live.openedAt)
        guard left > .seconds(60) else { return }
        let last = left.wholeMilliseconds
        give(.command(.refetch(by: "payer")), of: number, after: .milliseconds(last - 45_000))
        plan(.begins(.swish), on: number, within: (last - 30_000)...(last - 20_000))
        plan(.finishes(pays: true), on: number, within: (last - 15_000)...(last - 5_000))
    }

    private mutating func plan(
        _ actor: OtherActor,
        on number: Int,
        within milliseconds: ClosedRange<Int64>
    ) {
        plan(.elsewhere(actor), for: number, after: pause(milliseconds))
    }

    /// Performs another party's action; for orders, the PSP's callback follows sooner or later.
    mutating func act(_ actor: OtherActor, on number: Int) {
        // The page of an order that was never shown is not known to anyone.
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

    /// The PSP refuses a request of an attempt that continues, and that ends later on its own.
    mutating func refuseMidway(
        _ request: OperationRequest,
        of number: Int,
        from node: Int
    ) -> ProviderResponse.Outcome {
        note(
            .networkFault,
            node: node,
            number,
            "\(request.rel.rawValue) is refused, and the attempt goes on"
        )
        plan(.finishes(pays: chance(500)), on: number, within: 1000...200_000)
        return .refusal(400)
    }
}

/// The hooks with which the world involves other parties.
extension PaymentScenario {
    /// Refuses a payment midway, when a client can handle that.
    public static func refusal(
        of request: OperationRequest,
        of number: Int,
        from node: Int,
        in world: inout PaymentWorld
    ) -> ProviderResponse.Outcome? {
        guard !world.scenario.isCareless else { return nil }
        let session = world.residents[number].id
        if request.onlyReads, world.scenario.provider.checkouts[session] != nil,
            world.chance(world.faults.staleAnswer)
        {
            world.scenario.files[session, default: File()].lags = true
        }
        if case .transaction = request.body {
            guard !world.chance(world.faults.refusedTransaction) else {
                world.note(.networkFault, node: node, number, "\(request.rel.rawValue) is refused")
                return .refusal(403)
            }
            let isLater = world.chance(world.faults.acceptedLater)
            world.scenario.provider.checkouts[session]?.performsLater = isLater
        }
        guard request.isMidway, world.chance(world.faults.refusedMidway)
        else { return nil }
        return world.refuseMidway(request, of: number, from: node)
    }

    /// Performs a payment on a page, or another party's action.
    public static func happens(
        _ what: Happening,
        to number: Int,
        in world: inout PaymentWorld
    ) {
        switch what {
        case .payment: world.pay(number)
        case .approval: world.approve(number)
        case .record: world.checkRecord(number)
        case .elsewhere(let actor): world.act(actor, on: number)
        }
    }

    /// Draws whether other parties act after a session's progress.
    public static func notified(
        _ state: SessionState,
        of number: Int,
        in world: inout PaymentWorld
    ) {
        world.meetOthers(number)
    }

    /// Plans the payment when the page is on the payer's screen.
    public static func published(
        _ state: SessionState,
        of number: Int,
        in world: inout PaymentWorld
    ) {
        world.planPayment(of: number, state)
    }

    /// Returns a successful response as another, paid payment or order would have it.
    public mutating func foreign(
        _ outcome: ProviderResponse.Outcome,
        for session: SessionID,
        in state: SessionState
    ) -> ProviderResponse.Outcome? {
        // The first response determines which payment it is; a foreign one is recognizable only
        // afterwards.
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
            // An order that is not known yet has nothing in which another one could differ.
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
