internal import Inspection
internal import SwedbankPay

/// The commands that are possible next in a session, to be copied.
struct Advice {
    /// The possible commands, the most likely first.
    let steps: [NextStep]
    private let isOver: Bool
    /// The command that shows the session.
    private let show: String

    /// Creates the advice for a state.
    init(_ state: SessionState, by decider: SessionDecider, program: String) {
        self.init(
            SessionView(state, by: decider, disclosing: .masked),
            program: program
        )
    }

    /// Creates the advice for a session's view.
    init(_ view: SessionView, program: String) {
        let session = "\(view.session)"
        var steps: [NextStep] = []
        for action in view.actions { steps += Self.steps(for: action, of: session, program) }
        let mayChoose = view.attempt == nil && view.outcome == nil
        if view.actions.isEmpty, view.problem?.problem.isRetryable == true,
            view.problem?.problem.origin != .session, view.outcome == nil
        {
            steps.append(NextStep(words: "try again", command: "\(program) retry \(session)"))
        }
        if mayChoose, !view.methods.isEmpty {
            steps += Self.choices(view.methods, of: session, program)
        }
        steps += Self.steps(for: view, of: session, program)
        if view.outcome == nil, view.phase == .awaitingPSP || !view.settled {
            steps.append(NextStep(words: "go on waiting", command: "\(program) resume \(session)"))
        }
        if view.outcome == nil, view.phase != .opening {
            steps.append(NextStep(words: "give up", command: "\(program) abort \(session)"))
        }
        self.steps = steps
        isOver = view.outcome != nil
        show = "\(program) show \(session)"
    }

    /// The possible commands in one line.
    var allowed: String? {
        guard !isOver || !steps.isEmpty else {
            return "nothing is possible any more; '\(show)' tells how it ended"
        }
        return Self.possible(steps)
    }

    /// The possible commands in one line, with the saved cards first.
    var allowedCards: String? {
        let isCard = { (step: NextStep) in step.command?.contains(" card --") == true }
        return Self.possible(steps.filter(isCard) + steps.filter { !isCard($0) })
    }

    private static func possible(_ steps: [NextStep]) -> String? {
        let commands = steps.compactMap(\.command).prefix(4).map { "'\($0)'" }
        return commands.isEmpty ? nil : "now possible: " + commands.joined(separator: ", ")
    }

    private static func steps(
        for action: ActionView,
        of session: String,
        _ program: String
    ) -> [NextStep] {
        func report(_ words: String, _ answer: String) -> NextStep {
            NextStep(
                words: words,
                command: "\(program) report \(session) \(action.id.rawValue) \(answer)"
            )
        }
        switch action.kind {
        case "launchApp":
            return [
                report("when the app was opened", "launched"),
                report("when it could not be opened", "launch-failed"),
            ]
        case "load3DSMethod":
            return [
                report("when the hidden form was posted", "done"),
                report("when that failed", "failed"),
            ]
        case "show3DS":
            return [
                report("when the bank answered", "completed --cres-file FILE"),
                report("when the payer closed the page", "canceled"),
                report("when the page could not be shown", "failed --error TEXT"),
            ]
        case "authorizeWallet":
            return [
                report("when the wallet gave its token", "authorized --payload FILE"),
                report("when the payer closed it", "canceled"),
                report("when it could not be used", "failed --error TEXT"),
            ]
        case "checkIn":
            return [
                report("when the payer is identified", "checked-in --profile-file FILE"),
                report("when the payer goes on without", "canceled"),
                report("when it could not be shown", "failed --error TEXT"),
            ]
        default:
            return [
                report("when the payer finished", "completed"),
                report("when the payer closed it", "canceled"),
                report("when it could not be shown", "failed --error TEXT"),
            ]
        }
    }

    /// Adds the commands for an order.
    private static func steps(
        for view: SessionView,
        of session: String,
        _ program: String
    ) -> [NextStep] {
        guard let order = view.checkout?.order else { return [] }
        var steps: [NextStep] = []
        if view.outcome == nil, view.actions.isEmpty, view.problem == nil {
            steps.append(
                NextStep(words: "pay on the PSP's page", command: "\(program) menu \(session)")
            )
            steps.append(
                NextStep(words: "pay natively", command: "\(program) checkout native \(session)")
            )
        }
        guard view.outcome == .completed, view.checkout?.gateway == .psp else { return steps }
        if order.remainingCapture ?? 0 > 0 {
            steps.append(
                NextStep(words: "take the money", command: "\(program) order capture \(session)")
            )
        }
        if order.remainingReversal ?? 0 > 0 {
            steps.append(
                NextStep(words: "give it back", command: "\(program) order reverse \(session)")
            )
        }
        return steps
    }

    private static func choices(
        _ methods: [MethodOffer],
        of session: String,
        _ program: String
    ) -> [NextStep] {
        methods.flatMap { method -> [NextStep] in
            let attempt = "\(program) attempt \(session)"
            switch method.instrument {
            case .swish:
                return [
                    NextStep(words: "pay with Swish on this device", command: "\(attempt) swish"),
                    NextStep(
                        words: "pay with Swish on another device",
                        command: "\(attempt) swish --msisdn NUMBER"
                    ),
                ]
            case .card:
                let cards = [method].savedCards
                return cards.map { card in
                    let alike = cards.count { $0.maskedPan == card.maskedPan }
                    // A masked number means the same card later, too; a rank may not.
                    let which = card.maskedPan.flatMap { alike == 1 ? "card \"\($0)\"" : nil }
                    return NextStep(
                        words: "pay with saved card \(card.rank)",
                        command: "\(attempt) card --\(which ?? "prefill \(card.rank)")"
                    )
                }
            case .web:
                let name = method.method.rawValue
                // Text from elsewhere is part of a command only where no shell interprets it.
                let isPlain = name.utf8.allSatisfy {
                    switch $0 {
                    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D: true
                    default: false
                    }
                }
                guard isPlain, !name.hasPrefix("-") else { return [] }
                return [
                    NextStep(
                        words: "pay with \(name)",
                        command: "\(program) menu \(session) --instrument \(name)"
                    )
                ]
            default:
                let parameter = method.instrument == .applePay ? " --merchant-id ID" : ""
                return [
                    NextStep(
                        words: "pay with \(method.instrument.label)",
                        command: "\(attempt) \(method.instrument.rawValue)\(parameter)"
                    )
                ]
            }
        } + [NextStep(words: "pay on the PSP's page", command: "\(program) menu \(session)")]
    }
}
