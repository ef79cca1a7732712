internal import SwedbankPay

/// What buttons and confirmations say.
extension Words {
    func name(of act: Act) -> String {
        switch act {
        case .note: self("Add a note", "Skriv en anteckning")
        case .refetch: self("Read the PSP again", "Läs av PSP:n igen")
        case .retry: self("Retry", "Försök igen")
        case .capture: self("Capture", "Debitera")
        case .reverse: self("Refund", "Återbetala")
        case .resolve: self("Record what the PSP says", "Registrera vad PSP:n säger")
        case .abort: self("Abort", "Avbryt betalningen")
        case .close: self("Close", "Stäng")
        }
    }

    /// What the button on the page of confirmation does.
    func go(_ act: Act) -> String {
        switch act {
        case .note: self("Add the note", "Spara anteckningen")
        case .refetch: self("Read it now", "Läs av nu")
        case .retry: self("Retry now", "Försök igen nu")
        case .capture, .reverse: self("Continue", "Fortsätt")
        case .resolve: self("Record it", "Registrera")
        case .abort: self("Abort the payment", "Avbryt betalningen")
        case .close: self("Close the payment", "Stäng betalningen")
        }
    }

    func meaning(of act: Act) -> String {
        switch act {
        case .note:
            self(
                "The note is sealed with the payment's key, and stays in its history with your name.",
                "Anteckningen förseglas med betalningens nyckel och stannar i historiken med ditt namn."
            )
        case .refetch:
            self(
                "The PSP is asked how the payment stands. This changes nothing there.",
                "PSP:n tillfrågas om betalningens läge. Det ändrar ingenting där."
            )
        case .retry:
            self(
                "The engine sends again what failed, after it has read how the payment stands.",
                "Motorn skickar det misslyckade igen, efter att ha läst av betalningens läge."
            )
        case .capture:
            self(
                "The money that the payer authorized is taken. It can be refunded afterwards, not undone.",
                "Pengarna som betalaren har godkänt dras. De kan återbetalas efteråt, men inte ångras."
            )
        case .reverse:
            self(
                "The money goes back to the payer. This cannot be undone.",
                "Pengarna går tillbaka till betalaren. Det kan inte ångras."
            )
        case .resolve:
            self(
                "Look the payment up in the PSP's own portal first. What you record counts as known from then on, with your name; the payment itself never becomes completed by it.",
                "Slå först upp betalningen i PSP:ns egen portal. Det du registrerar gäller därefter som känt, med ditt namn; betalningen blir aldrig genomförd av det."
            )
        case .abort:
            self(
                "The PSP is asked to end the payment unpaid. It refuses when the payer has just paid.",
                "PSP:n ombeds avsluta betalningen obetald. Den vägrar om betalaren just har betalat."
            )
        case .close:
            self(
                "The payment ends here, and nothing is sent to the PSP. Money that is unknown stays unknown.",
                "Betalningen avslutas här, och inget skickas till PSP:n. Okända pengar förblir okända."
            )
        }
    }

    func confirm(_ act: Act, _ amount: String) -> String {
        act == .capture
            ? self("Capture \(amount)", "Debitera \(amount)")
            : self("Refund \(amount)", "Återbetala \(amount)")
    }

    var twoPeople: String {
        self(
            "It counts once another person, with a sign-in of their own, records the same.",
            "Det gäller när en annan person, med egen inloggning, registrerar samma sak."
        )
    }
    var isThisRight: String { self("Is this right?", "Stämmer det?") }
    var leave: String { self("Leave it", "Låt bli") }
    var noteText: String { self("Note", "Anteckning") }
    var noteHint: String {
        self("At most 1,000 characters; no card numbers.", "Högst 1 000 tecken; inga kortnummer.")
    }
    var reason: String { self("Reason", "Orsak") }
    var reasonHint: String {
        self(
            "One line, kept in the history in the clear: no personal data.",
            "En rad som sparas oförseglad i historiken: inga personuppgifter."
        )
    }
    var description: String { self("Description", "Beskrivning") }
    var descriptionHint: String {
        self(
            "What the PSP and the payer's statement show.",
            "Det som PSP:n och kontoutdraget visar."
        )
    }
    func amountIn(_ currency: String) -> String {
        self("Amount in \(currency)", "Belopp i \(currency)")
    }
    func atMost(_ amount: String) -> String { self("At most \(amount).", "Högst \(amount).") }
    func wrongAmount(_ most: String) -> String {
        self(
            "Write an amount above zero and of at most \(most), such as 12.50.",
            "Skriv ett belopp över noll och högst \(most), till exempel 12,50."
        )
    }
    var verdict: String { self("What the PSP's portal says", "Vad PSP:ns portal säger") }
    var verdicts: [(String, String)] {
        [
            ("paid", self("It is paid", "Den är betald")),
            ("not-paid", self("It is not paid", "Den är inte betald")),
            ("refunded", self("It was paid, then refunded", "Den var betald och återbetalades")),
        ]
    }
    var evidenceHint: String {
        self(
            "Where you saw it, such as the number of the transaction. Kept in the clear: no personal data.",
            "Var du såg det, till exempel transaktionens nummer. Sparas oförseglat: inga personuppgifter."
        )
    }
}

/// Amounts in words, so that a slip of a digit is noticed.
extension Words {
    /// The whole units of an amount in words, with what is left over in digits.
    func spelled(_ amount: Amount, _ currency: String?) -> String {
        guard let currency, let digits = MinorUnits.digits(of: currency), amount >= 0 else {
            return ""
        }
        let unit = (0..<digits).reduce(Int64(1)) { power, _ in power * 10 }
        let (whole, rest) = amount.minorUnits.quotientAndRemainder(dividingBy: unit)
        guard whole < 1_000_000_000 else { return "" }
        let number = isEnglish ? english(whole) : swedish(whole)
        return "\(number) \(currency)"
            + (rest > 0 ? self(" and \(rest)/\(unit)", " och \(rest)/\(unit)") : "")
    }

    private func english(_ number: Int64) -> String {
        let small = [
            "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
            "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen",
            "eighteen", "nineteen",
        ]
        let tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
        switch number {
        case ..<20: return small[Int(number)]
        case ..<100:
            let ten = tens[Int(number / 10 - 2)]
            return number % 10 == 0 ? ten : ten + "-" + small[Int(number % 10)]
        case ..<1000:
            let hundred = small[Int(number / 100)] + " hundred"
            return number % 100 == 0 ? hundred : hundred + " and " + english(number % 100)
        default:
            let (size, name) =
                number < 1_000_000 ? (Int64(1000), " thousand") : (1_000_000, " million")
            let large = english(number / size) + name
            return number % size == 0 ? large : large + " " + english(number % size)
        }
    }

    private func swedish(_ number: Int64) -> String {
        let small = [
            "noll", "ett", "två", "tre", "fyra", "fem", "sex", "sju", "åtta", "nio", "tio", "elva",
            "tolv", "tretton", "fjorton", "femton", "sexton", "sjutton", "arton", "nitton",
        ]
        let tens = [
            "tjugo", "trettio", "fyrtio", "femtio", "sextio", "sjuttio", "åttio", "nittio",
        ]
        switch number {
        case ..<20: return small[Int(number)]
        case ..<100:
            let ten = tens[Int(number / 10 - 2)]
            return number % 10 == 0 ? ten : ten + small[Int(number % 10)]
        case ..<1000:
            let hundred = small[Int(number / 100)] + "hundra"
            return number % 100 == 0 ? hundred : hundred + swedish(number % 100)
        case ..<1_000_000:
            let thousand = swedish(number / 1000) + " tusen"
            return number % 1000 == 0 ? thousand : thousand + " " + swedish(number % 1000)
        default:
            let count = number / 1_000_000
            let million = count == 1 ? "en miljon" : swedish(count) + " miljoner"
            return number % 1_000_000 == 0 ? million : million + " " + swedish(number % 1_000_000)
        }
    }
}
