internal import Inspection
internal import SwedbankPay

/// The next possible steps in a session, as commands to paste.
struct Advice {
    /// The steps, the most likely first.
    let steps: [NextStep]
    private let isOver: Bool
    /// The command that shows the session.
    private let show: String
    /// The command that prints the session's log.
    let log: String

    /// Creates the advice for a state.
    init(_ state: SessionState, by decider: SessionDecider, program: String) {
        self.init(
            SessionView(state, by: decider, disclosing: .masked),
            program: program
        )
    }

    /// Creates the advice for a session's view.
    init(_ view: SessionView, program: String) {
        let session = view.session.short
        steps = view.possibleSteps.flatMap { Self.steps(for: $0, of: session, program) }
        isOver = view.outcome != nil
        show = "\(program) show \(session)"
        log = "\(program) log \(session)"
    }

    /// The allowed choices, in one line.
    var allowed: String? {
        guard !isOver || !steps.isEmpty else {
            return "the session has ended; '\(show)' shows its outcome"
        }
        return Self.possible(steps)
    }

    /// The allowed choices, saved cards first.
    var allowedCards: String? {
        let isCard = { (step: NextStep) in step.command?.utf8.contains(" card --".utf8) == true }
        return Self.possible(steps.filter(isCard) + steps.filter { !isCard($0) })
    }

    private static func possible(_ steps: [NextStep]) -> String? {
        let commands = steps.compactMap(\.command).prefix(4).map { "'\($0)'" }
        return commands.isEmpty ? nil : "you can run: " + commands.joined(separator: ", ")
    }

    private static func steps(
        for step: PossibleStep,
        of session: String,
        _ program: String
    ) -> [NextStep] {
        func run(_ command: String, _ words: String, _ again: Bool = false) -> [NextStep] {
            let option = again ? " --again" : ""
            return [
                NextStep(
                    words: again ? "after its refusals were understood, \(words)" : words,
                    command: "\(program) \(command) \(session)\(option)"
                )
            ]
        }
        return switch step {
        case .report(let action): steps(for: action, of: session, program)
        case .retry: run("retry", "let the engine read and continue")
        case .pay(let method): choices(method, of: session, program)
        case .payOnPage: run("menu", "pay on the PSP's page")
        case .payNatively: run("checkout native", "pay in a native session")
        case .capture(let again): run("order capture", "capture the money", again)
        case .refund(let again): run("order reverse", "refund the money", again)
        case .wait: run("resume", "keep waiting")
        case .abort: run("abort", "abort the payment")
        }
    }

    private static func steps(
        for action: ActionView,
        of session: String,
        _ program: String
    ) -> [NextStep] {
        func report(_ words: String, _ response: String) -> NextStep {
            NextStep(
                words: words,
                command: "\(program) report \(session) \(action.id.rawValue) \(response)"
            )
        }
        switch action.kind {
        case .launchApp:
            return [
                report("if the app was opened", "launched"),
                report("if it could not be opened", "launch-failed"),
            ]
        case .load3DSMethod:
            return [
                report("if the hidden form was posted", "done"),
                report("if that failed", "failed"),
            ]
        case .show3DS:
            return [
                report("if the issuer sent its response", "completed --cres-file FILE"),
                report("if the payer closed the page", "canceled"),
                report("if the page could not be shown", "failed --error TEXT"),
            ]
        case .authorizeWallet:
            return [
                report("if the wallet returned a token", "authorized --payload FILE"),
                report("if the payer closed it", "canceled"),
                report("if it could not be used", "failed --error TEXT"),
            ]
        case .checkIn:
            return [
                report("if the payer was identified", "checked-in --profile-file FILE"),
                report("if the payer continues without checking in", "canceled"),
                report("if it could not be shown", "failed --error TEXT"),
            ]
        case .showMenu:
            return [
                report("if the payer finished", "completed"),
                report("if the payer closed it", "canceled"),
                report("if it could not be shown", "failed --error TEXT"),
            ]
        }
    }

    private static func choices(
        _ method: MethodOffer,
        of session: String,
        _ program: String
    ) -> [NextStep] {
        let attempt = "\(program) attempt \(session)"
        switch method.instrument {
        case let instrument where instrument.takesNumber:
            let words = "pay with \(instrument.label)"
            let command = "\(attempt) \(instrument.rawValue)"
            return [
                NextStep(words: "\(words) on this device", command: command),
                NextStep(
                    words: "\(words) on another device",
                    command: "\(command) --msisdn NUMBER"
                ),
            ]
        case .card:
            let cards = [method].savedCards
            return cards.map { card in
                let alike = cards.count { $0.maskedPan == card.maskedPan }
                // The masked number that the payer saw keeps its meaning; a rank may not.
                let which = card.maskedPan.flatMap { alike == 1 ? "card \"\($0)\"" : nil }
                return NextStep(
                    words: "pay with saved card \(card.rank)",
                    command: "\(attempt) card --\(which ?? "prefill \(card.rank)")"
                )
            }
        case .web:
            let name = method.method.rawValue
            // Foreign text in a command to paste: only text without a meaning for any shell.
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
    }
}
