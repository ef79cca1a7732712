internal import EventLog
internal import Inspection
internal import SwedbankPay

/// A language of the console.
enum Language: String, CaseIterable, Sendable {
    case english = "en"
    case swedish = "sv"

    /// The language's own name.
    var name: String {
        switch self {
        case .english: "English"
        case .swedish: "Svenska"
        }
    }

    /// The language that a browser prefers, among those that there are.
    ///
    /// - Note: Source: RFC 9110, section 12.5.4; weights are ignored, since browsers send the
    ///   languages in the order of preference.
    init(preferred field: String?) {
        let wanted = (field ?? "").pieces(between: ",").lazy.compactMap { part in
            Language(rawValue: String(part.drop { $0 == " " }.prefix(2)).lowercased())
        }
        self = wanted.first ?? .english
    }
}

/// The words of the console in one language: functions of typed facts, so that no page has words of
/// its own, and a word that lacks a language does not compile.
struct Words: Sendable {
    let language: Language

    /// The word in the reader's language.
    func callAsFunction(_ english: String, _ swedish: String) -> String {
        switch language {
        case .english: english
        case .swedish: swedish
        }
    }

    /// Whether texts of `Inspection`, which are English, are in the reader's language.
    var isEnglish: Bool { language == .english }
}

// MARK: - The frame of a page

extension Words {
    var product: String { self("Payments console", "Betalningskonsol") }
    var skip: String { self("Skip to the content", "Hoppa till innehållet") }
    var navigation: String { self("Pages", "Sidor") }
    var searchFor: String { self("Find a payment", "Hitta en betalning") }
    var searchHint: String { self("Reference, phone, last 4 …", "Referens, telefon, sista 4 …") }
    var search: String { self("Search", "Sök") }
    var signOut: String { self("Sign out", "Logga ut") }
    var languageLabel: String { self("Language:", "Språk:") }
    var details: String { self("Details", "Detaljer") }
    var none: String { self("none", "inga") }

    func signedIn(_ name: String) -> String { name }

    func name(of section: Page.Section) -> String {
        switch section {
        case .home: self("Now", "Just nu")
        case .payments: self("Payments", "Betalningar")
        case .search: self("Search", "Sök")
        case .atRisk: self("At risk", "Osäkra pengar")
        }
    }

    func asOf(_ time: String) -> String { self("As of \(time)", "Läget \(time)") }
}

// MARK: - Signing in

extension Words {
    var signIn: String { self("Sign in", "Logga in") }
    var token: String { self("Your token", "Din token") }
    var tokenHint: String {
        self(
            "It begins with pwt_. Whoever runs the service makes it with 'workflowctl serve token create'.",
            "Den börjar med pwt_. Den som driver tjänsten skapar den med 'workflowctl serve token create'."
        )
    }
    var tokenRefused: String {
        self(
            "This token is unknown, expired or revoked. Nothing was changed.",
            "Denna token är okänd, utgången eller återkallad. Ingenting har ändrats."
        )
    }
    var sessionOver: String {
        self(
            "You are signed out: your session was idle for 15 minutes, or your token is no longer valid. Sign in to go on where you were.",
            "Du är utloggad: sessionen var inaktiv i 15 minuter, eller så gäller din token inte längre. Logga in för att fortsätta där du var."
        )
    }
    var goOn: String { self("Continue to the console", "Fortsätt till konsolen") }
    var oneMoment: String { self("One moment", "Ett ögonblick") }
}

// MARK: - Payments

extension Words {
    var reference: String { self("Reference", "Referens") }
    var amount: String { self("Amount", "Belopp") }
    var method: String { self("Method", "Betalsätt") }
    var money: String { self("Money", "Pengar") }
    var move: String { self("Whose move", "Vems tur") }
    var opened: String { self("Opened", "Öppnad") }
    var problem: String { self("Problem", "Problem") }
    var outcome: String { self("Outcome", "Utfall") }
    var anything: String { self("any", "alla") }
    var apply: String { self("Show", "Visa") }
    var filters: String { self("Filter the payments", "Filtrera betalningarna") }
    var from: String { self("Opened from", "Öppnad från") }
    var before: String { self("Opened before", "Öppnad före") }
    var state: String { self("State", "Läge") }
    var open: String { self("open", "öppen") }
    var ended: String { self("ended", "avslutad") }
    var all: String { self("All", "Alla") }
    var older: String { self("Older payments", "Äldre betalningar") }
    var newest: String { self("Back to the newest", "Tillbaka till de nyaste") }
    var referenceHint: String {
        self("exact, or a beginning with *", "exakt, eller en början med *")
    }
    var imported: String { self("imported", "importerad") }
    var noPayments: String { self("No payments yet.", "Inga betalningar ännu.") }
    var noPaymentsHint: String {
        self(
            "They appear here as soon as a program opens one. 'workflowctl demo --sessions 60' makes some to look at.",
            "De visas här så snart ett program öppnar en. 'workflowctl demo --sessions 60' skapar några att titta på."
        )
    }
    func noMatch(_ filters: String) -> String {
        self(
            "No payment matches: \(filters).",
            "Ingen betalning stämmer med: \(filters)."
        )
    }
    var removeFilters: String { self("Show all payments", "Visa alla betalningar") }
    var noOlder: String {
        self("There are no older payments.", "Det finns inga äldre betalningar.")
    }

    func since(_ duration: String) -> String { self("for \(duration)", "i \(duration)") }

    /// The name of a saved selection.
    func name(of view: PaymentsPage.View) -> String {
        switch view {
        case .all: self("All", "Alla")
        case .open: self("Open", "Öppna")
        case .person: self("Needs a person", "Behöver en människa")
        case .merchant: self("Needs the merchant", "Behöver handlaren")
        case .unknown: self("Money unknown", "Okänt om betalt")
        case .failed: self("Failed", "Misslyckade")
        }
    }

    func name(of instrument: Instrument) -> String {
        switch instrument {
        case .swish: "Swish"
        case .card: self("saved card", "sparat kort")
        case .newCard: self("new card", "nytt kort")
        case .applePay: "Apple Pay"
        case .googlePay: "Google Pay"
        case .clickToPay: "Click to Pay"
        case .web: self("the PSP's page", "PSP:ns sida")
        }
    }

    func name(of turn: TurnName) -> String {
        switch turn {
        case .payer: self("the payer", "betalaren")
        case .merchant: self("the merchant", "handlaren")
        case .psp: self("the PSP", "PSP:n")
        case .engine: self("the engine", "motorn")
        case .support: self("an operator", "en operatör")
        case .nobody: self("nobody", "ingen")
        }
    }

    func name(of outcome: Outcome) -> String {
        switch outcome {
        case .completed: self("completed", "genomförd")
        case .canceled: self("canceled", "avbruten")
        case .failed: self("failed", "misslyckad")
        case .expired: self("expired", "utgången")
        }
    }

    func name(of phase: Phase) -> String {
        switch phase {
        case .opening: self("opening", "öppnas")
        case .ready: self("ready", "redo")
        case .attempting: self("attempting", "försök pågår")
        case .awaitingClient: self("waiting for the app", "väntar på appen")
        case .awaitingPSP: self("waiting for the PSP", "väntar på PSP:n")
        case .ended: ended
        }
    }
}

// MARK: - Search

extension Words {
    var searchHelp: String {
        self(
            "Anything that a caller can say: the reference or order number, a telephone number, the last four digits of a card, an identifier, or words of a note. What you type is in no address and no log.",
            "Allt som den som ringer kan säga: referensen eller ordernumret, ett telefonnummer, kortets fyra sista siffror, en identifierare eller ord ur en anteckning. Det du skriver hamnar inte i någon adress eller logg."
        )
    }
    var searchIncomplete: String {
        self(
            "There may be more: the search has not seen everything yet, or found too much. Search again in a moment, or for something longer.",
            "Det kan finnas fler: sökningen har inte sett allt ännu, eller hittade för mycket. Sök igen om en stund, eller på något längre."
        )
    }
    var nothingFound: String { self("Nothing was found.", "Ingenting hittades.") }
    var foundIn: String { self("Found in", "Hittad i") }
    var foundCaption: String { self("Payments that match", "Betalningar som stämmer") }
    func found(_ count: Int) -> String {
        count == 1
            ? self("1 payment found.", "1 betalning hittades.")
            : self("\(count) payments found.", "\(count) betalningar hittades.")
    }
}

// MARK: - Money at risk

extension Words {
    var payments: String { self("Payments", "Betalningar") }
    var oldest: String { self("Oldest", "Äldsta") }
    var host: String { self("Host", "Värd") }
    var age: String { self("Age", "Ålder") }
    var order: String { self("Order", "Order") }
    var allMoney: String { self("All money", "Alla pengar") }
    var since: String { self("Since", "Sedan") }
    var evidence: String { self("Evidence", "Belägg") }
    var tooLarge: String { self("too large to add up", "för stort för att summera") }
    var possibleDuplicates: String { self("Perhaps paid twice", "Kanske betalt två gånger") }
    var duplicatesHint: String {
        self(
            "The same order was paid more than once. Find out whether the payer meant to; if not, refund one of the payments.",
            "Samma order har betalats mer än en gång. Ta reda på om betalaren menade det; annars återbetala en av betalningarna."
        )
    }
    var queueCaption: String {
        self(
            "Only the PSP knows whether these are paid; the oldest first",
            "Bara PSP:n vet om dessa är betalda; de äldsta först"
        )
    }
    var nothingAtRisk: String {
        self(
            "No payment has unknown money: of each it is known whether it was taken.",
            "Ingen betalning har okända pengar: för varje är det känt om pengarna har tagits."
        )
    }
    func queue(_ count: Int) -> String {
        switch count {
        case 0: self("Unknown money", "Okända pengar")
        case 1: self("Unknown money: 1 payment", "Okända pengar: 1 betalning")
        default:
            self("Unknown money: \(count) payments", "Okända pengar: \(count) betalningar")
        }
    }
    func totals(_ time: String) -> String {
        self("The money of all payments as of \(time)", "Alla betalningars pengar, läget \(time)")
    }
    func more(_ count: Int) -> String { self("And \(count) more:", "Och \(count) till:") }
    func uncounted(_ count: Int) -> String {
        self(
            "\(count) logs could not be read, and are not counted.",
            "\(count) loggar kunde inte läsas och är inte medräknade."
        )
    }
}
