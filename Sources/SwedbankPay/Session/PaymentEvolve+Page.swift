internal import Workflow

/// The PSP's own page: requested, shown, left.
extension PaymentState {
    mutating func fold(_ chosen: MenuChosen) {
        preferencesUsed = true
        let leavesPage = page != nil
        endAttempt()
        menu = MenuChoice(mode: chosen.mode, chosenAt: progress.sequence, since: progress.lastAt)
        progress.problem = nil
        progress.requests.forgetTries()
        progress.requests.restartPolling(at: progress.lastAt)
        progress.wakeFromStall()
        // The payer may have paid on the page that is being left.
        if leavesPage { progress.readAgain(.retry) }
    }

    mutating func fold(_ requested: MenuRequested) {
        progress.request(
            requested.action,
            as: .showMenu(script: requested.script, mode: requested.mode),
            attempt: attempt?.number
        )
        page = PageVisit(action: requested.action)
        // From here on the page may create payment attempts at any time.
        beginAttempt()
        progress.problem = nil
        progress.requests.restartPolling(at: progress.lastAt)
    }

    mutating func fold(_ closed: MenuClosed) {
        respond(closed.action, closed.response)
        if page?.action == closed.action { page?.closed = closed.outcome }
        progress.requests.restartPolling(at: progress.lastAt)
        progress.readAgain(.returned)
    }

    /// The number of reads after the payer closed the page before the page is considered ended: it
    /// may take a moment until a canceled payment is visible.
    static let readsAfterClosedPage = 2

    /// Counts a read after the payer closed the page without finishing; then the methods are
    /// offered again.
    mutating func countReadAfterPage(_ cause: Rel) {
        guard page?.closed == .canceled, cause.onlyReads else { return }
        page?.reads += 1
        guard let page, page.reads >= Self.readsAfterClosedPage, !showsPaymentOfPage else { return }
        endAttempt()
    }

    /// Whether the session shows that an attempt that was started on the page is still in progress:
    /// in an app or at a bank.
    var showsPaymentOfPage: Bool {
        snapshot?.workingOperations.contains { operation in
            (operation.rel == .getPayment && operation.isNext) || !operation.tasks.isEmpty
        } ?? false
    }

    /// The content of the PSP's page for the payer's choice; `nil` when the choice needs no page.
    var wantedPage: (mode: MenuMode, presentation: Presentation)? {
        switch course {
        case .choosing, .straying: return nil
        case .onPage(let menu): return (menu.mode, Presentation(of: menu.mode))
        case .attempting(let attempt):
            let (choice, mode) = (attempt.choice, MenuMode.instrument(attempt.choice.method))
            if let showsConsent = choice.showsConsent {
                return (mode, .newCard(showsConsent: showsConsent))
            }
            return choice.instrument.isOnPage ? (mode, Presentation(of: mode)) : nil
        }
    }

    /// Whether the client was asked to show the PSP's page and has not reported that it was left.
    var isPageOpen: Bool {
        guard let page, page.closed == nil else { return false }
        return progress.actions.contains { $0.id == page.action && $0.isOpen }
    }

    /// Whether the payer finished on the PSP's page, as reported by the client, and the PSP's
    /// result is awaited.
    var awaitsResultOfPage: Bool { page?.closed == .completed }
}

extension MenuChoice {
    /// Whether anything of the choice can have reached the PSP.
    var hasReachedProvider: Bool { hasAsked || page != nil }
}

extension Presentation {
    /// Creates the presentation in which a page with that mode can be shown.
    init(of mode: MenuMode) {
        switch mode {
        case .menu: self = .all
        case .restricted(let methods): self = .restricted(methods)
        case .instrument(let method): self = .instrument(method)
        }
    }
}
