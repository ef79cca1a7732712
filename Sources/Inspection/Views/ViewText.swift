internal import EventLog
internal import SwedbankPay
internal import Workflow

/// A session's view as text.
package struct ViewText {
    private var lines: [StyledText] = []
    private let style: Style

    /// Creates the text of a view.
    ///
    /// - Parameters:
    ///   - view: The view.
    ///   - style: The style.
    ///   - steps: Possible next steps for the caller that drives the session.
    ///   - isWaitOver: Whether the command stopped waiting before the session had settled.
    ///   - clock: The clock for the time at which the session was opened. With `nil`, the text has
    ///     neither that time nor the amount: the caller that drives a session knows both.
    package init(
        _ view: SessionView,
        style: Style,
        steps: [NextStep] = [],
        isWaitOver: Bool = false,
        opened clock: DisplayClock? = nil
    ) {
        self.style = style
        addMoney(view.money)
        add("session", "\(view.session)")
        if clock != nil { addAmount(view.money) }
        if let clock, let openedAt = view.openedAt { add("opened", clock.second(openedAt)) }
        add("phase", phase(of: view, isWaitOver: isWaitOver))
        if let outcome = view.outcome {
            add(
                "outcome",
                style.paint(
                    outcome.word(money: view.money.standing),
                    outcome == .completed ? .good : .bad
                )
                    + view.closingWords
            )
        }
        add("events", "\(view.lastSeq)")
        if let reference = view.reference { add("reference", Screen.safe(reference)) }
        if let culture = view.culture { add("culture", Screen.safe(culture)) }
        if let checkout = view.checkout { add(checkout, isVerification: view.money.isVerification) }
        for other in view.possibleDuplicates {
            add(
                "duplicate?",
                style.paint("the same order was also paid in \(other.short)", .caution)
            )
        }
        if let confirmed = view.confirmed {
            add("confirmed", confirmed ? "yes, by the order" : "no")
        }
        if let attempt = view.attempt {
            add("attempt", "\(attempt.number): \(attempt.choice.words)")
        }
        if view.outcome == nil, view.attempt == nil { addMethods(view.methods, view.disclosure) }
        if let problem = view.problem { add(problem, view) }
        view.actions.forEach { add($0) }
        guard !steps.isEmpty else { return }
        lines.append(style.paint("next", .heading))
        for step in steps {
            lines.append(
                "  " + Screen.padded(step.words, to: 34) + style.paint("  ", .dim)
                    + style.paint(step.command ?? "", .accent)
            )
        }
    }

    /// The lines, each with a line end.
    package var text: StyledText { lines.lines }

    private mutating func add(_ name: String, _ value: String) { add(name, StyledText(value)) }

    private mutating func add(_ name: String, _ value: StyledText) {
        lines.append(style.paint(Screen.padded(name, to: 11), .dim) + value)
    }

    /// Adds the state of the money, which people read first, and how it was paid.
    private mutating func addMoney(_ money: MoneyState) {
        let words = MoneyWords(money).brief
        switch money.standing {
        case .unknown: add("money", style.paint(words, .caution))
        case .none, .intended, .underWay, .confirmed: add("money", words)
        }
        if let paidWith = money.paidWith { add("paid with", paidWith.brief) }
    }

    /// Adds the amount to be paid, or the amount that was paid if it is known; a verification has
    /// none.
    private mutating func addAmount(_ money: MoneyState) {
        guard !money.isVerification else { return }
        let words = money.amountWords
        add("amount", words.isEmpty ? "no amount known" : words)
    }

    private func phase(of view: SessionView, isWaitOver: Bool) -> StyledText {
        let note = style.paint(isWaitOver ? " (not settled yet)" : "", .caution)
        return style.paint(view.phase.rawValue, .heading) + note
    }

    private mutating func addMethods(_ methods: [MethodOffer], _ disclosure: Disclosure) {
        for (index, method) in methods.enumerated() {
            let name = Screen.padded(method.instrument.rawValue, to: 14)
            add(index == 0 ? "methods" : "", name + Screen.safe(method.method.rawValue))
            for prefill in method.prefills {
                add("", "  \(prefill.rank)  " + prefill.words(disclosure))
            }
        }
    }

    private mutating func add(_ standing: CurrentProblem, _ view: SessionView) {
        let problem = standing.problem
        let name = problem.kind?.rawValue ?? problem.type.map { EventWords.slug(of: $0) } ?? ""
        let status = problem.status.map { " (\($0))" } ?? ""
        add("problem", style.paint(Screen.safe(name) + status, .bad))
        if let title = problem.title(disclosing: view.disclosure) { add("", Screen.safe(title)) }
        if let detail = problem.detail(disclosing: view.disclosure) { add("", Screen.safe(detail)) }
        if let failure = problem.failure { add("", StoryWords.words(of: failure)) }
        guard view.outcome == nil else {
            return add("", "the session has ended; 'explain' says what to do")
        }
        switch view.money.finding {
        case .paid?:
            return add("", "an operator recorded that it is paid; 'explain' says what to do")
        case .refunded?:
            return add("", "an operator recorded that it was refunded; 'explain' says what to do")
        case .notPaid?, nil: break
        }
        let mayRetry = view.accepts.retry && !view.isImported
        let retry = mayRetry ? "; 'retry' is possible" : ""
        add("", problem.duty + retry)
    }

    private mutating func add(_ checkout: CheckoutView, isVerification: Bool) {
        add("checkout", checkout.stage.rawValue)
        if let order = checkout.order {
            let status = order.status?.rawValue ?? "created"
            let amount = StoryWords.money(order.amount, order.currency, " ")
            add(
                "order",
                Screen.safe(isVerification ? "verification (\(status))" : status + amount)
            )
            if let id = order.id { add("", Screen.safe(id)) }
            if let failure = order.failure { add("", "refused: " + StoryWords.name(of: failure)) }
            if let instrument = order.instrument { add("", Screen.safe(instrument.rawValue)) }
        }
        for transaction in checkout.transactions {
            let amount = StoryWords.money(
                transaction.request.amount,
                checkout.order?.currency,
                " "
            )
            add(
                transaction.request.kind.rawValue,
                (transaction.result?.rawValue ?? "in progress") + amount + "  "
                    + Screen.safe(transaction.request.payeeReference)
            )
        }
        if let session = checkout.session { add("native", "\(session)") }
    }

    private mutating func add(_ action: ActionView) {
        add("action", style.paint("\(action.id.rawValue) \(action.kind.rawValue)", .heading))
        for member in action.members {
            switch member.value {
            case .text(let text): add("", "\(member.name): \(Screen.safe(text))")
            case .number(let number): add("", "\(member.name): \(number)")
            case .bool(let flag): add("", "\(member.name): \(flag)")
            case .fields(let fields):
                for field in fields {
                    add(
                        "",
                        "\(member.name).\(Screen.safe(field.name)): \(Screen.safe(field.value.text))"
                    )
                }
            case .json(.null): continue
            case .json(let value):
                add("", "\(member.name): \(Screen.safe(JSONDocument.text(value)))")
            case .null: continue
            }
        }
    }
}

extension SessionView {
    /// The text for a session closed by an operator; otherwise empty.
    var closingWords: String { isClosedByHand ? ", closed by an operator" : "" }
}

extension Prefill {
    /// A number or card, as it may be shown.
    fileprivate func words(_ disclosure: Disclosure) -> String {
        switch self {
        case .swish(_, let msisdn, let masked):
            guard case .clear(let secrets) = disclosure else { return masked }
            return Screen.safe(secrets[msisdn] ?? masked)
        case .card(let card):
            return [card.brand, card.maskedPan, card.expiry?.text].compactMap { $0 }
                .map { Screen.safe($0) }.joined(separator: "  ")
        }
    }
}
