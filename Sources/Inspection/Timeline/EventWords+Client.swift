internal import EventLog
package import SwedbankPay

extension EventWords {
    /// The words for what the client is asked and does.
    package init(client event: SessionEvent) {
        switch event {
        case .externalAppRequested(let requested):
            self.init(.engine, "\(requested.request.action.rawValue): open the app, please")
        case .externalAppLaunched(let answer):
            self.init(.client, "\(answer.action.rawValue): the app is open")
        case .externalAppLaunchFailed(let failure):
            self.init(.problem, "\(failure.action.rawValue): the app could not be opened")
        case .returned(let returned):
            self.init(.client, "the payer came back (\(returned.form.rawValue) payment URL)")
        case .threeDSMethodRequested(let requested):
            self.init(.engine, "\(requested.action.rawValue): post the hidden 3DS form, please")
        case .threeDSMethodCompleted(let completed):
            let limit = completed.timedOut ? ", nobody answered in time" : ""
            self.init(
                .client,
                "\(completed.action.rawValue): 3DS method \(completed.indicator.rawValue)" + limit
            )
        case .threeDSRequested(let requested):
            self.init(.engine, "\(requested.action.rawValue): show the bank's challenge, please")
        case .threeDSShown(let answer):
            self.init(.client, "\(answer.action.rawValue): the challenge is on the screen")
        case .threeDSCompleted(let completed):
            self.init(.client, "\(completed.action.rawValue): the bank gave its answer")
        case .threeDSClosed(let answer):
            self.init(.client, "\(answer.action.rawValue): the payer closed the bank's page")
        case .threeDSLoadFailed(let failure):
            self.init(.problem, "\(failure.action.rawValue): the bank's page could not be shown")
        case .walletRequested(let requested):
            self.init(.engine, "\(requested.request.action.rawValue): present the wallet, please")
        case .walletAuthorized(let authorized):
            self.init(.client, "\(authorized.action.rawValue): authorised in the wallet")
        case .walletCanceled(let answer):
            self.init(.client, "\(answer.action.rawValue): the wallet was closed")
        case .walletFailed(let failure):
            self.init(.problem, "\(failure.action.rawValue): the wallet failed")
        case .menuChosen(let chosen):
            self.init(.client, "pays on the PSP's page: " + chosen.mode.words)
        case .menuRequested(let requested):
            self.init(.engine, "\(requested.action.rawValue): show the payment menu, please")
        case .menuShown(let answer):
            self.init(.client, "\(answer.action.rawValue): the menu is on the screen")
        case .menuClosed(let closed):
            let failure = closed.failure.map { ": " + StoryWords.words(of: $0) } ?? ""
            self.init(
                .client,
                "\(closed.action.rawValue): the menu was left, \(closed.outcome)" + failure
            )
        default: self.init(.engine, EventCodec.typeName(of: event))
        }
    }

    /// The words for problems, wishes and ends.
    package init(ending event: SessionEvent) {
        switch event {
        case .problem(let problem): self.init(problem)
        case .problemAcknowledged(let acknowledged):
            self.init(
                .psp,
                acknowledged.accepted ? "the problem is acknowledged" : "acknowledging was given up"
            )
        case .retryRequested(let retry):
            self.init(.client, "try again, asked by \(Screen.safe(retry.by))")
        case .refetchRequested(let refetch):
            self.init(.client, "taken in again by \(Screen.safe(refetch.by)): read it anew")
        case .abortRequested(let abort):
            self.init(.client, "give up, asked by \(Screen.safe(abort.by))")
        case .completed(let completed):
            self.init(
                .end,
                completed.evidence == .completeURLReached
                    ? "completed, by the client's account: the order could not be read"
                    : "completed, on the PSP's word"
            )
        case .canceled(let canceled):
            self.init(
                .end,
                "canceled by the \(canceled.by == .psp ? "PSP" : canceled.by.rawValue)"
            )
        case .expired(let expired): self.init(.end, "expired: \(expired.reason.rawValue)")
        case .failed(let failed):
            let host = failed.host.map { " (\(Screen.safe($0)))" } ?? ""
            let money = failed.money.map { ", money: \($0.rawValue)" } ?? ""
            let end = failed.isByHand ? "closed by hand" : "failed: \(failed.reason.rawValue)"
            self.init(.end, end + money + host)
        case .callbackReceived: self.init(.psp, "the PSP called back")
        case .noteAdded(let note): self.init(.client, "note by \(Screen.safe(note.by))")
        case .operatorActed(let acted):
            self.init(.client, "\(Screen.safe(acted.by)): \(Screen.safe(acted.action))")
        case .unknown(let unknown):
            self.init(.engine, "\(Screen.safe(unknown.type)), of a type that is not known here")
        default: self.init(.engine, EventCodec.typeName(of: event))
        }
    }

    private init(_ problem: Problem) {
        let name = problem.kind?.rawValue ?? problem.type.map { Self.slug(of: $0) } ?? "problem"
        let title = Disclosure.masked.text(problem.title).map { ": " + Screen.safe($0) } ?? ""
        self.init(.problem, "\(Screen.safe(name))\(title); \(problem.actor.rawValue) acts")
    }

    /// The last two parts of a problem type, which tell it apart.
    static func slug(of type: String) -> String {
        type.split(separator: "/").suffix(2).joined(separator: "/")
    }
}
