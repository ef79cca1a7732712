internal import Service

/// What a page says when it cannot show what was wanted: what happened, and what to do.
extension Words {
    var errorPage: String { self("What this error means", "Vad felet betyder") }
    func request(_ id: String) -> String { self("Request \(id)", "Begäran \(id)") }
    func code(_ code: String) -> String { self("Code: \(code)", "Kod: \(code)") }

    var alteredTitle: String {
        self("This log was altered or is damaged", "Loggen är ändrad eller skadad")
    }
    var altered: String {
        self(
            "Nothing of it is told here, since it may not have happened. The other payments are not affected. Do not act on this payment before it is known what was changed.",
            "Inget ur den visas här, eftersom det kanske aldrig har hänt. Andra betalningar påverkas inte. Gör ingenting med betalningen innan det är känt vad som har ändrats."
        )
    }
    func alteredHint(_ session: String) -> String {
        self(
            "'workflowctl verify \(session)' names the first record that does not match, and what is still sound.",
            "'workflowctl verify \(session)' visar den första post som inte stämmer, och vad som fortfarande är helt."
        )
    }

    func title(of problem: ServiceProblem) -> String {
        switch problem.status {
        case 400, 422: self("This was not understood", "Det gick inte att förstå")
        case 403: self("You may not do this", "Du får inte göra detta")
        case 404: self("There is no such page or payment", "Sidan eller betalningen finns inte")
        case 409: self("The payment does not allow it", "Betalningen tillåter det inte")
        case 412:
            self("The payment has changed", "Betalningen har ändrats")
        case 413: self("This is too large", "Det är för stort")
        case 429: self("Too many requests", "För många förfrågningar")
        case 503: self("Not available now", "Inte tillgängligt nu")
        default: self("This page cannot be shown", "Sidan kan inte visas")
        }
    }

    func advice(on problem: ServiceProblem) -> String {
        switch problem.status {
        case 403:
            self(
                "Your role does not include it. Ask whoever runs the service for a token, or a group, with another role.",
                "Din roll omfattar inte detta. Be den som driver tjänsten om en token, eller en grupp, med en annan roll."
            )
        case 404:
            self(
                "Check the address, or search for what the payer can tell you.",
                "Kontrollera adressen, eller sök på det som betalaren kan berätta."
            )
        case 412:
            self(
                "Somebody or something went on with it after this page was made, so nothing was done. Look at the payment again, and decide again.",
                "Någon eller något har gått vidare sedan sidan gjordes, så ingenting har gjorts. Titta på betalningen igen och besluta på nytt."
            )
        case 429, 503:
            self(
                "Nothing was lost. Try again in a moment.",
                "Ingenting har gått förlorat. Försök igen om en stund."
            )
        default: self("Nothing was changed.", "Ingenting har ändrats.")
        }
    }

    var back: String { self("Back to the payments", "Tillbaka till betalningarna") }
    var retry: String { self("Try again", "Försök igen") }
}
