internal import EventLog
internal import HTTPTypes
internal import Inspection
internal import Service
internal import SwedbankPay

/// What a person can do to a payment, and the page on which it is confirmed.
enum Act: String, CaseIterable, Sendable {
    case note, refetch, retry, capture, reverse, resolve, abort, close

    /// The endpoint that carries it out; its roles may do it.
    var route: Route {
        switch self {
        case .note: .addNote
        case .refetch: .refetch
        case .retry: .retry
        case .capture, .reverse: .transact
        case .resolve: .resolve
        case .abort: .abort
        case .close: .close
        }
    }

    /// The kind of transaction that it requests.
    var transaction: TransactionKind? {
        switch self {
        case .capture: .capture
        case .reverse: .reversal
        case .note, .refetch, .retry, .resolve, .abort, .close: nil
        }
    }

    /// Whether it changes money or ends the payment.
    var isGrave: Bool {
        switch self {
        case .capture, .reverse, .resolve, .abort, .close: true
        case .note, .refetch, .retry: false
        }
    }
}

extension PaymentFrame {
    /// What the reader may do, and the rules accept now.
    var acts: [Act] {
        guard !evidence.isImported, !evidence.isErased else { return [] }
        return Act.allCases.filter { $0.route.isOpen(to: caller) && isPossible($0) }
    }

    private func isPossible(_ act: Act) -> Bool {
        let accepts = story.standing.accepts
        switch act {
        case .note, .refetch: return true
        case .retry: return accepts.retry
        case .resolve: return accepts.resolve
        case .abort: return accepts.abort
        case .close: return accepts.close
        case .capture: return left(.capture) > 0 && isAccepted(.capture)
        case .reverse: return left(.reversal) > 0 && isAccepted(.reversal)
        }
    }

    private func isAccepted(_ kind: TransactionKind) -> Bool {
        let accepts = story.standing.accepts
        return accepts.transactions.contains(kind) || accepts.transactionsAgain.contains(kind)
    }

    /// What can still be captured or reversed, in minor units.
    func left(_ kind: TransactionKind) -> Amount {
        switch kind {
        case .capture: money.taken?.capturable ?? 0
        case .reversal: money.taken?.reversible ?? 0
        case .cancel: 0
        }
    }

    /// The ways to what the reader may do.
    var actions: HTML {
        guard !acts.isEmpty else { return .none }
        return """
            <p class="actions">\(acts.html { act in
                let style: HTML = act == .abort || act == .close ? "button danger" : "button"
                return "<a class=\"\(style)\" href=\"\(address(of: .story))/\(act.rawValue)\">\(words.name(of: act))</a> "
            })</p>
            """
    }

    /// The page on which something is confirmed.
    ///
    /// - Parameters:
    ///   - act: What is to be done.
    ///   - form: What was written before, when the page is shown again.
    ///   - key: The key with which the request may be repeated.
    ///   - note: Why it is shown again.
    /// - Returns: The page.
    func page(for act: Act, _ form: [String: String], key: String, _ note: String?) -> Page {
        let style: HTML = act.isGrave ? "danger" : "primary"
        let warning: HTML? = note.map { "<p class=\"band bad\" role=\"alert\">\($0)</p>" }
        return page(
            .story,
            """
            <h2>\(words.name(of: act))</h2>\(warning)
            <p>\(words.meaning(of: act))\(isShared(act) ? " \(words.twoPeople)" as HTML : "")</p>
            <p lang="en" class="band">\(end.summary) \(end.money)</p>
            <form class="form" method="post" action="\(address(of: .story))/\(act.rawValue)">
            <input type="hidden" name="seen" value="\(form["seen"] ?? "\(view.lastSeq)")">
            <input type="hidden" name="key" value="\(key)">
            \(fields(of: act, form))
            <p><button class="\(style)">\(words.go(act))</button> <a class="button" href="\(address(of: .story))">\(words.leave)</a></p>
            </form>
            """
        )
    }

    /// Whether another person has to do the same.
    private func isShared(_ act: Act) -> Bool { act == .resolve && requiresSecondPerson }

    private func fields(of act: Act, _ form: [String: String]) -> HTML {
        switch act {
        case .note:
            return area("text", words.noteText, words.noteHint, form["text"], isRequired: true)
        case .refetch: return .none
        case .retry, .abort: return reason(form, isRequired: requiresReason)
        case .close: return reason(form, isRequired: true)
        case .capture, .reverse:
            let kind = act.transaction ?? .capture
            let left = MinorUnits.text(self.left(kind), of: money.currency ?? "") ?? ""
            let shown = form["amount"] ?? (words.isEnglish ? left : left.rewriting(".", as: ","))
            return input(
                "amount",
                words.amountIn(money.currency ?? ""),
                words.atMost(words.amount(self.left(kind), money.currency)),
                shown
            )
                + input(
                    "description",
                    words.description,
                    words.descriptionHint,
                    form["description"] ?? view.reference
                )
                + reason(form, isRequired: requiresReason)
        case .resolve:
            return """
                <fieldset><legend>\(words.verdict)</legend>\(words.verdicts.html { value, title in
                    let mark: HTML = form["verdict"] == value ? " checked" : ""
                    return "<p><label><input type=\"radio\" name=\"verdict\" value=\"\(value)\" required\(mark)> \(title)</label></p>"
                })</fieldset>
                """
                    + area(
                        "evidence",
                        words.evidence,
                        words.evidenceHint,
                        form["evidence"],
                        isRequired: true
                    )
        }
    }

    private func reason(_ form: [String: String], isRequired: Bool) -> HTML {
        input("reason", words.reason, words.reasonHint, form["reason"], isRequired: isRequired)
    }

    private func input(
        _ name: String,
        _ title: String,
        _ hint: String,
        _ value: String?,
        isRequired: Bool = true
    ) -> HTML {
        let mark: HTML = isRequired ? " required" : ""
        return """
            <label for="\(name)">\(title)</label>
            <input id="\(name)" name="\(name)" type="text" value="\(value ?? "")" maxlength="200" autocomplete="off" aria-describedby="\(name)-hint"\(mark)>
            <p class="hint" id="\(name)-hint">\(hint)</p>
            """
    }

    private func area(
        _ name: String,
        _ title: String,
        _ hint: String,
        _ value: String?,
        isRequired: Bool
    ) -> HTML {
        """
        <label for="\(name)">\(title)</label>
        <textarea id="\(name)" name="\(name)" rows="4" maxlength="1000" required aria-describedby="\(name)-hint">\(lines: value ?? "")</textarea>
        <p class="hint" id="\(name)-hint">\(hint)</p>
        """
    }

    /// The page that says an amount in words before it is moved.
    func confirmation(
        of act: Act,
        _ amount: Amount,
        _ form: [String: String]
    ) -> Page {
        let hidden = form.filter { $0.key != "confirmed" }.sorted { $0.key < $1.key }
        let shown = words.amount(amount, money.currency)
        let spelled = words.spelled(amount, money.currency)
        return page(
            .story,
            """
            <h2>\(words.isThisRight)</h2>
            <p class="band caution"><b class="amount">\(words.confirm(act, shown))</b><br>\(spelled)</p>
            <p>\(words.meaning(of: act))</p>
            <form class="form" method="post" action="\(address(of: .story))/\(act.rawValue)">
            \(hidden.html { "<input type=\"hidden\" name=\"\($0.key)\" value=\"\($0.value)\">" })
            <p><button class="danger" name="confirmed" value="yes">\(words.confirm(act, shown))</button> \
            <a class="button" href="\(address(of: .story))">\(words.leave)</a></p></form>
            """
        )
    }

    /// An amount that somebody wrote in the usual notation, with a point or a comma; `nil` for
    /// anything else.
    func amount(written text: String) -> Amount? {
        guard let digits = money.currency.flatMap(MinorUnits.digits) else { return nil }
        let parts = text.filter { !$0.isWhitespace }.rewriting(",", as: ".")
            .pieces(between: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count),
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let whole = parts.first, (1...12).contains(whole.count)
        else { return nil }
        let rest = parts.count == 2 ? String(parts[1]) : ""
        guard rest.count <= digits, parts.count == 1 || !rest.isEmpty else { return nil }
        let padded = whole + rest + String(repeating: "0", count: digits - rest.count)
        return Int64(padded).map { Amount($0) }
    }
}

extension Console {
    /// Shows what is to be confirmed.
    func form(
        for act: Act,
        _ request: PageRequest
    ) async throws(ServiceProblem) -> ServiceResponse {
        try refuse(act, to: request.caller)
        let evidence = try await api.evidence(of: try request.session(), for: request.caller)
        let frame = PaymentFrame(evidence, of: api, for: request)
        guard frame.acts.contains(act) else {
            throw ServiceProblem(
                409,
                "session.not-possible",
                "the payment does not allow this as it stands now"
            )
        }
        return response(
            with: frame.page(for: act, [:], key: api.newKey(), nil),
            to: request.head,
            for: request.caller,
            request.words
        )
    }

    /// Refuses what the reader's role does not include.
    private func refuse(_ act: Act, to caller: Caller) throws(ServiceProblem) {
        guard act.route.isOpen(to: caller) else {
            throw ServiceProblem(403, "request.forbidden", "no role of this caller may do this")
        }
    }

    /// Does what somebody confirmed, by the endpoint of the API; then the payment is shown again.
    func perform(
        _ act: Act,
        _ request: PageRequest
    ) async throws(ServiceProblem) -> ServiceResponse {
        let session = try request.session()
        try refuse(act, to: request.caller)
        let evidence = try await api.evidence(of: session, for: request.caller)
        let frame = PaymentFrame(evidence, of: api, for: request)
        let form = request.form
        guard let key = form["key"], let seen = form["seen"].flatMap({ Int64($0) }) else {
            throw ServiceProblem(
                400,
                "request.malformed",
                "the form lacks what its page put into it"
            )
        }
        var amount: Amount?
        if let kind = act.transaction {
            amount = frame.amount(written: form["amount"] ?? "")
            guard let amount, amount > 0, amount <= frame.left(kind) else {
                let note = request.words.wrongAmount(
                    request.words.amount(frame.left(kind), frame.money.currency)
                )
                return refused(frame.page(for: act, form, key: key, note), request)
            }
            guard form["confirmed"] == "yes" else {
                return response(
                    with: frame.confirmation(of: act, amount, form),
                    to: request.head,
                    for: request.caller,
                    request.words
                )
            }
        }
        do throws(ServiceProblem) {
            try await api.perform(
                act.route,
                of: session,
                Self.body(of: act, form, amount),
                seen: SequenceNumber(rawValue: seen),
                key: key,
                by: request.caller
            )
        } catch {
            // What was written is not lost with a mistake in it.
            guard error.status == 422 else { throw error }
            return refused(frame.page(for: act, form, key: key, error.sentence), request)
        }
        return .redirect(to: frame.address(of: .story))
    }

    /// The page with what was written, again.
    private func refused(_ page: Page, _ request: PageRequest) -> ServiceResponse {
        var page = page
        page.status = .unprocessableContent
        return response(with: page, to: request.head, for: request.caller, request.words)
    }

    /// The body of the request to the endpoint.
    private static func body(of act: Act, _ form: [String: String], _ amount: Amount?) -> JSONValue?
    {
        func members(_ names: [String]) -> [JSONValue.Member] {
            names.compactMap { name in form[name].map { .init(name, .string($0)) } }
        }
        switch act {
        case .refetch: return nil
        case .note: return .object(members(["text"]))
        case .retry, .abort: return form["reason"] == nil ? nil : .object(members(["reason"]))
        case .close: return .object(members(["reason"]))
        case .resolve: return .object(members(["verdict", "evidence"]))
        case .capture, .reverse:
            var all = members(["description", "reason"])
            all.append(.init("kind", .string(act == .capture ? "capture" : "reverse")))
            all.append(.init("amount", JSONValue(amount?.minorUnits)))
            return .object(all)
        }
    }
}
