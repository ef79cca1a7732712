internal import Adapters
internal import EventLog
internal import HTTPTypes
internal import Inspection
internal import Service
internal import SwedbankPay

/// What proves that a log is whole and unaltered.
enum ProofStanding {
    /// A checkpoint covers it.
    case covered(SessionProof)
    /// No checkpoint covers it, or it cannot be proven, for this reason.
    case notCovered(ServiceProblem)
    /// The reader's role does not include the proof.
    case notForReader
}

extension PaymentFrame {
    func proofPage(_ proof: ProofStanding) -> Page {
        page(
            .proof,
            """
            <h2>\(words.integrity)</h2>
            <ul class="checks">\(chain)\(origin)\(item(of: proof))</ul>
            \(Route.sessionEvents.isOpen(to: caller) ? downloads(proof) : .none)
            """
        )
    }

    private func check(_ isGood: Bool?, _ title: String, _ text: HTML) -> HTML {
        let (sign, style): (HTML, HTML) =
            switch isGood {
            case true?: ("✓", "good")
            case false?: ("✖", "bad")
            case nil: ("–", "open")
            }
        return """
            <li class="\(style)"><span class="sign" aria-hidden="true">\(sign)</span> <div><b>\(title)</b><br>\(text)</div></li>

            """
    }

    private var chain: HTML {
        let head = log.records.last.map { "\($0.hash)" } ?? ""
        return check(
            true,
            words.chainIsWhole,
            """
            \(words.chain(log.records.count)) <proof-check hidden data-log="/console/payments/\(session.description)/log.ndjson">\
            <button type="button">\(words.checkHere)</button> <span role="status" data-good="\(words.checkedHere)" data-bad="\(words.failedHere)" data-unsure="\(words.notCheckedHere)"></span>\
            </proof-check><br><span class="faint">\(words.headHash)</span> <code class="hash">\(head)</code>
            """
        )
    }

    private var origin: HTML {
        evidence.isAuthentic
            ? check(true, words.recordsAreAuthentic, "\(words.authentic)")
            : check(nil, words.originNotShown, "\(words.notAuthentic)")
    }

    private func item(of proof: ProofStanding) -> HTML {
        switch proof {
        case .covered(let proof):
            let rest = log.records.count - proof.covered.count
            return check(
                true,
                words.checkpointCovers,
                "\(words.covers(proof.covered.count, rest: rest))"
            )
        case .notCovered(let problem) where problem.status == 409:
            return check(nil, words.noCheckpoint, "\(words.noCheckpointHint)")
        case .notCovered(let problem):
            return check(
                false,
                words.checkpointFails,
                "<span lang=\"en\">\(problem.sentence)</span>"
            )
        case .notForReader: return check(nil, words.checkpoint, "\(words.forAuditors)")
        }
    }

    private func downloads(_ proof: ProofStanding) -> HTML {
        var files: HTML = """
            <li><a href="/console/payments/\(session.description)/log.ndjson" download>\(words.downloadLog)</a></li>
            """
        if case .covered = proof {
            files += """
                <li><a href="/console/payments/\(session.description)/proof.json" download>\(words.downloadProof)</a></li>
                """
        }
        return """
            <h3>\(words.forOthers)</h3><p>\(words.forOthersHint)</p><ul>\(files)</ul>
            <pre tabindex="0">workflowctl verify \(session.short)-log.ndjson</pre>
            """
    }
}

extension Console {
    /// What proves a log, as far as the reader may know it.
    func proof(of session: SessionID, for caller: Caller) async -> ProofStanding {
        guard Route.proof.isOpen(to: caller) else { return .notForReader }
        do throws(ServiceProblem) {
            return .covered(try await api.proof(of: session, for: caller))
        } catch {
            return .notCovered(error)
        }
    }

    /// The log without its seals, or its proof, as a file.
    func download(
        _ name: String,
        of session: SessionID,
        for caller: Caller
    ) async throws(ServiceProblem) -> ServiceResponse {
        var response: ServiceResponse
        if name == "proof.json" {
            let proof = try await api.proof(of: session, for: caller)
            response = .console(.ok, proof.document.encode(), type: "application/json")
        } else {
            guard Route.sessionEvents.isOpen(to: caller) else {
                throw ServiceProblem(403, "request.forbidden", "no role of this caller may do this")
            }
            let log = try await api.evidence(of: session, for: caller).log
            let lines = log.records.flatMap { PaymentAPI.shownLine(of: $0) + [UInt8(ascii: "\n")] }
            response = .console(.ok, lines, type: "application/x-ndjson")
        }
        response.head.headerFields[.contentDisposition] =
            "attachment; filename=\"\(session.short)-\(name)\""
        return response
    }
}

extension Words {
    var integrity: String { self("Whole and unaltered", "Hel och oförändrad") }
    var chainIsWhole: String { self("Every record has its hash", "Varje post har sin hash") }
    func chain(_ count: Int) -> String {
        self(
            "This server checked all \(count) records when it made this page: each contains the hash of the one before.",
            "Servern kontrollerade alla \(count) poster när sidan gjordes: var och en innehåller hashen av den föregående."
        )
    }
    var headHash: String { self("Hash of the last record:", "Sista postens hash:") }
    var checkHere: String { self("Check in this browser, too", "Kontrollera i webbläsaren också") }
    var checkedHere: String {
        self("This browser came to the same hash.", "Webbläsaren kom fram till samma hash.")
    }
    var notCheckedHere: String {
        self(
            "The log could not be read here, so nothing was checked.",
            "Loggen kunde inte läsas här, så inget kontrollerades."
        )
    }

    var failedHere: String {
        self("This browser came to another hash!", "Webbläsaren kom fram till en annan hash!")
    }
    var recordsAreAuthentic: String {
        self(
            "Every record was written with this payment's key",
            "Varje post är skriven med betalningens nyckel"
        )
    }
    var authentic: String {
        self(
            "So nobody without the key added or changed any.",
            "Alltså har ingen utan nyckeln lagt till eller ändrat någon."
        )
    }
    var originNotShown: String {
        self(
            "Who wrote the records cannot be shown here",
            "Vem som skrev posterna går inte att visa här"
        )
    }
    var notAuthentic: String {
        self(
            "The payment was imported or erased, or its key is not here. The hashes still show that nothing was changed since a checkpoint.",
            "Betalningen är importerad eller raderad, eller så finns nyckeln inte här. Hasharna visar ändå att inget har ändrats sedan en kontrollpunkt."
        )
    }
    var checkpoint: String { self("Signed checkpoint", "Signerad kontrollpunkt") }
    var checkpointCovers: String {
        self("A signed checkpoint covers it", "En signerad kontrollpunkt omfattar den")
    }
    func covers(_ count: Int, rest: Int) -> String {
        self(
            "It covers the records up to \(count)"
                + (rest > 0
                    ? "; \(rest) came later, and the next checkpoint covers them."
                    : ", which is the last."),
            "Den omfattar posterna till och med \(count)"
                + (rest > 0
                    ? "; \(rest) kom senare, och nästa kontrollpunkt omfattar dem."
                    : ", som är den sista.")
        )
    }
    var noCheckpoint: String {
        self("No checkpoint covers it yet", "Ingen kontrollpunkt omfattar den ännu")
    }
    var noCheckpointHint: String {
        self(
            "'workflowctl checkpoint create' makes one.",
            "'workflowctl checkpoint create' skapar en."
        )
    }
    var checkpointFails: String {
        self("The checkpoint proves nothing", "Kontrollpunkten bevisar inget")
    }
    var forAuditors: String {
        self("Shown to auditors.", "Visas för revisorer.")
    }
    var forOthers: String {
        self("To check it elsewhere", "För att kontrollera den någon annanstans")
    }
    var forOthersHint: String {
        self(
            "Whoever has these files can check them without this store, and without trusting us.",
            "Den som har filerna kan kontrollera dem utan det här lagret, och utan att lita på oss."
        )
    }
    var downloadLog: String {
        self("The log, without sealed values", "Loggen, utan förseglade värden")
    }
    var downloadProof: String {
        self("The proof that a checkpoint covers it", "Beviset att en kontrollpunkt omfattar den")
    }
}
