internal import EventLog
internal import Inspection
internal import SwedbankPay

/// The sentences of a story in the reader's language, from the same facts.
///
/// What has no Swedish words yet stays English, and is marked as such: above all the explanations
/// of problems, which a catalogue has.
extension Words {
    /// Returns a sentence, and the language that it is in.
    func told(
        _ fact: Story.Fact,
        in story: Story,
        english: String
    ) -> (text: String, language: Language) {
        guard language == .swedish, !story.state.money.isVerification, let text = swedish(fact)
        else { return (english, .english) }
        return (text, .swedish)
    }

    private func swedish(_ fact: Story.Fact) -> String? {
        switch fact {
        case .takenIn(let host, let isCheckout, let isHandedOver):
            return isHandedOver
                ? "En kassa lämnade över betalningen till den här sessionen, hos \(host)."
                : "\(isCheckout ? "Kassan" : "Betalsessionen") öppnades hos \(host)."
        case .takenInAgain("engine", _):
            return "Sessionen var på väg att gå ut, så den skulle läsas av hos PSP:n en gång till."
        case .takenInAgain(SessionDecider.closing, _):
            return
                "En operatör skulle stänga sessionen, så den skulle läsas av hos PSP:n en gång till."
        case .takenInAgain(let who, isOrder: true):
            return "\(who) begärde en ny avläsning av ordern."
        case .takenInAgain(let who, isOrder: false):
            return
                "\(who) begärde en ny avläsning av sessionen; motorn fortsatte med samma session."
        case .offered(let instruments):
            return "Betalaren kunde välja \(list(instruments.map(name), "eller"))."
        case .attempt(let number, let choice, let isPreset, let hasBegun):
            let start =
                isPreset
                ? "Motorn valde \(name(of: choice)), som var förvalt"
                : "Betalaren valde \(name(of: choice))"
            return start + " (försök \(number))"
                + (hasBegun ? "; PSP:n startade betalningen." : ".")
        case .begun(let attempt): return "PSP:n startade betalningen i försök \(attempt)."
        case .page: return "Betalaren valde att betala på PSP:ns sida."
        case .asked(let step, let response, let after):
            let question = "Handlarens app ombads \(request(step))"
            return question
                + (response.map { "; efter \(duration(after)): \(result(step, $0))" } ?? "") + "."
        case .reported(let step, let response, let after):
            let words = result(step, response)
            return words.prefix(1).uppercased() + words.dropFirst()
                + ", \(duration(after)) efter begäran."
        case .silence(let awaited, let time, let polls):
            return silence(awaited, duration(time))
                + (polls > 0 ? "; motorn läste av PSP:n \(polls) gånger." : ".")
        case .returned(_, let after):
            return "Betalaren kom tillbaka via betaladressen"
                + (after.map { ", \(duration($0)) efter att appen öppnades" } ?? "") + "."
        case .calledBack(let isFirst):
            return "PSP:n anropade handlarens callback"
                + (isFirst ? ", innan betalaren hade kommit tillbaka." : ".")
        case .notAcknowledged:
            return
                "PSP:n godtog inte kvitteringen av det misslyckade försöket; motorn fortsatte utan den."
        case .failureTold: return "Motorn meddelade PSP:n att försöket inte kan fortsätta."
        case .retryAsked(let who): return "\(who) begärde ett nytt försök."
        case .abortAsked(let who, let isTaken):
            return "\(who == "payer" ? "Betalaren" : who) begärde att betalningen avbryts"
                + (isTaken ? "; PSP:n godtog det." : ".")
        case .ended(let end): return swedish(end)
        case .order(let fact): return swedish(fact)
        case .note(let who): return "\(who) skrev en anteckning (förseglad)."
        case .unknown(let type):
            return "En händelse av en typ som den här versionen inte känner till: \(type)."
        case .trouble, .interrupted, .attemptFailed, .problem, .unreadable, .person: return nil
        }
    }

    private func list(_ words: [String], _ conjunction: String) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
    }

    private func name(of choice: Choice) -> String {
        if case .card(let card) = choice { return "sparat kort \(card.rank)" }
        guard case .swish(let number) = choice else { return name(of: choice.instrument) }
        return number == nil ? "Swish på den här enheten" : "Swish på en annan enhet"
    }

    private func app(_ scheme: String?) -> String {
        guard let scheme else { return "en annan app" }
        return Instrument(appScheme: scheme).map(name) ?? "appen för \(scheme):"
    }

    /// What the app is asked to do.
    private func request(_ step: Story.ClientStep) -> String {
        switch step {
        case .app(let scheme): "öppna \(app(scheme))"
        case .methodCall: "göra bankens dolda enhetskontroll (3-D Secure)"
        case .challenge: "visa bankens sida (3-D Secure)"
        case .wallet(let method): "öppna \(name(of: Instrument(offering: method)))"
        case .page: "visa PSP:ns sida"
        case .checkIn: "visa incheckningen"
        }
    }

    private func result(_ step: Story.ClientStep, _ response: Story.ActionResult) -> String {
        switch (step, response) {
        case (.app(let scheme), .opened): "\(app(scheme)) var öppen"
        case (.app(let scheme), _): "\(app(scheme)) kunde inte öppnas"
        case (.methodCall, .timedOut):
            "kontrollen tog för lång tid, och betalningen fortsatte utan den"
        case (.methodCall, .failed): "kontrollen misslyckades"
        case (.methodCall, _): "kontrollen var gjord"
        case (.challenge, .finished): "banken lämnade sitt resultat"
        case (.challenge, .closed): "betalaren stängde bankens sida utan att bli klar"
        case (.challenge, _): "bankens sida kunde inte visas"
        case (.wallet, .finished): "betalaren godkände betalningen i plånboken"
        case (.wallet, .closed): "betalaren stängde plånboken utan att betala"
        case (.wallet, _): "plånboken kunde inte användas"
        case (.page, .finished): "betalaren blev klar på PSP:ns sida"
        case (.page, .closed): "betalaren stängde PSP:ns sida"
        case (.page, _): "PSP:ns sida misslyckades eller kunde inte visas"
        case (.checkIn, .finished): "betalaren identifierades"
        case (.checkIn, .closed): "betalaren fortsatte utan incheckning"
        case (.checkIn, _): "incheckningen misslyckades eller kunde inte visas"
        }
    }

    private func silence(_ awaited: Story.Silence, _ time: String) -> String {
        switch awaited {
        case .client(let step):
            "I \(time) väntade betalningen på betalaren, som skulle \(request(step))"
        case .payerElsewhere(let instrument) where instrument == .swish:
            "I \(time) väntade betalningen på betalaren i Swish"
        case .payerElsewhere: "I \(time) väntade betalningen på PSP:n och banken"
        case .signOfLife: "I \(time) hördes ingenting från betalaren"
        case .choice: "I \(time) valde betalaren inget betalsätt"
        case .pageResult: "I \(time) kom inget resultat från PSP:ns sida"
        case .response: "I \(time) kom inget svar på begäran"
        case .support:
            "I \(time) hände ingenting: motorn hade slutat försöka och väntade på ett nytt försök"
        case .psp: "I \(time) väntade betalningen på PSP:n"
        }
    }

    private func swedish(_ end: Story.End) -> String? {
        let doubt = " Det är okänt om betalningen gick igenom: den kan vara betald."
        switch end {
        case .paid(let evidence, let paidWith, let isAway):
            guard let how = swedish(paidWith) else { return nil }
            let word =
                evidence == .completeURLReached
                ? "Klienten rapporterade att betalningen är klar; ordern kunde inte läsas för att bekräfta det."
                : "PSP:n rapporterade betalningen som betald."
            guard isAway, paidWith != .elsewhere else { return word + how }
            return word + how
                + " Betalaren hade inte kommit tillbaka från appen, och vet det kanske inte."
        case .canceled(.client): return "Betalningen avbröts som begärt; den är inte betald."
        case .canceled(.psp):
            return "PSP:n rapporterade betalningen som avbruten; här hade inget avbrott begärts."
        case .canceled(.payer):
            return "Betalaren lämnade PSP:ns sida via avbryt-länken; den är inte betald."
        case .expired(let reason, let mayBePaid):
            let words =
                reason == .goneAtPSP
                ? "PSP:n har inte längre sessionen: den har gått ut."
                : "Sessionen nådde sin längsta livstid och gick ut."
            return words + (mayBePaid ? doubt : "")
        case .closed(let mayBePaid):
            return "En operatör stängde sessionen; inget avbrott skickades till PSP:n."
                + (mayBePaid ? doubt : "")
        case .failed: return nil
        }
    }

    /// How far it is known how it was paid, after a blank; `nil` where it has no Swedish words yet.
    private func swedish(_ paidWith: PaidWith?) -> String? {
        switch paidWith {
        case nil, .named: ""
        case .probable(let attempt, _):
            (attempt.map { " Försök \($0)" } ?? " En betalning på PSP:ns sida")
                + " pågick; PSP:n säger inte hur den betalades."
        case .elsewhere:
            " Inget försök i den här sessionen pågick: ordern betalades någon annanstans, på en annan enhet eller sida."
        case .possible: nil
        }
    }

    private func swedish(_ fact: Story.OrderFact) -> String? {
        switch fact {
        case .created(let amount, let currency):
            return amount == nil
                ? "Ordern skapades." : "Ordern skapades på \(self.amount(amount, currency))."
        case .instrument(let method): return "Betalaren valde \(method.rawValue)."
        case .handedOver(let session): return "Kassan lämnades över till sessionen \(session)."
        case .payerIdentified: return "Betalaren identifierades."
        case .confirmed(let amount, let currency, let isRead):
            return (isRead ? "Motorn läste av ordern:" : "PSP:ns svar visar ordern:")
                + " den är betald som beställt"
                + (amount == nil ? "." : ", \(self.amount(amount, currency)).")
        case .transactionAsked(let request, let currency):
            let amount = request.amount == nil ? "" : " på \(self.amount(request.amount, currency))"
            return switch request.kind {
            case .capture: "Handlaren begärde en debitering\(amount)."
            case .reversal: "Handlaren begärde en återbetalning\(amount)."
            case .cancel: "Handlaren begärde att det som inte debiterats släpps."
            }
        case .transactionSettled(let settled):
            return switch settled.result {
            case .done: "Transaktionen genomfördes."
            case .accepted: "Transaktionen godtogs; PSP:n genomför den senare."
            case .refused: "Transaktionen nekades."
            case .notDone:
                "Transaktionen gjordes inte: långt efter den sista begäran visade ordern den inte."
            }
        case .status, .refused, .handedBack: return nil
        }
    }
}
