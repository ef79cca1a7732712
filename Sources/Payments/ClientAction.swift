public import Adapters
internal import EventLog
public import Inspection
public import SwedbankPay
internal import Workflow

extension Payment {
    /// Something that the payer's app or browser has to do, with everything needed to do it.
    ///
    /// It contains values with which the payer can be impersonated: pass it only to that payer's
    /// client. Encoded, it has the JSON form that the documentation describes.
    public struct ClientAction: Sendable, Identifiable {
        /// What the client has to do, and the values for it.
        public enum Kind: Sendable {
            /// Open another app. Reports: `launched`, `launchFailed`.
            case launchApp(AppLaunch)
            /// Post a form in a hidden frame. Reports: `done`, `failed`.
            case load3DSMethod(BrowserForm)
            /// Post a form to the issuer's page and show that. Reports: `shown`, then
            /// `challengeCompleted`, `canceled` or `failed`.
            case show3DS(BrowserForm)
            /// Present the sheet of a wallet. Reports: `authorized`, `canceled`, `failed`.
            case authorizeWallet(WalletRequest)
            /// Show the PSP's payment page. Reports: `shown`, then `completed`, `canceled`,
            /// `failed` or `pageFailed`.
            case showMenu(HostedPage)
            /// Show the PSP's check-in. Reports: `shown`, then `checkedIn`, `canceled` or `failed`.
            case checkIn(HostedPage)
        }

        /// The result of a report.
        public enum ReportResult: Hashable, Sendable {
            /// It was recorded, or had been recorded before.
            case accepted
            /// It came too late: the payment has continued without it, as its updates show.
            case late
        }

        /// The identifier of the action, which stays the same after a restart.
        public let id: ActionID
        /// What to do.
        public let kind: Kind
        /// The action as other modules know it; for wallets, `WalletConfiguration` reads it.
        public let view: ActionView
        let payment: Payment
    }

    /// An app to open.
    public struct AppLaunch: Hashable, Sendable {
        /// The link that opens it: a secret.
        public var url: String
    }

    /// A form that a browser posts for the payer; its values are secrets.
    public struct BrowserForm: Sendable {
        /// The address to which it is posted.
        public var url: String
        /// `POST` or `GET`.
        public var method: String
        /// The encoding of the fields.
        public var contentType: String
        /// The fields, in the order in which they are sent.
        public var fields: [(name: String, value: String)]
        /// The time limit of the hidden request of ``ClientAction/Kind/load3DSMethod(_:)``.
        public var timeout: Duration?
        /// The address to which the issuer posts the result of a challenge, `cres`.
        public var notificationURL: String?
    }

    /// A wallet to present.
    public struct WalletRequest: Sendable {
        /// The wallet.
        public var wallet: Instrument
        /// The PSP's values for it, by name.
        public var request: JSONValue
    }

    /// A page of the PSP that a script draws.
    public struct HostedPage: Hashable, Sendable {
        /// The script's address: a secret.
        public var scriptURL: String
        /// The address that the page must have: the first of the order's host URLs.
        public var baseURL: String?
        /// The address to which the page navigates when the payer has finished.
        public var completeURL: String?
        /// The address to which it navigates when the payer gives up.
        public var cancelURL: String?
        /// The address to which a payer returns from another app.
        public var paymentURL: String?
    }
}

extension Payment.ClientAction {
    /// Reports what the client did about the action; see ``Payment/report(_:on:)``.
    @discardableResult
    public func report(_ report: ClientAnswer) async throws(PaymentError) -> ReportResult {
        try await payment.report(report, on: id)
    }

    /// Returns the page that performs the action in a browser or web view, as a complete document.
    ///
    /// - Parameters:
    ///   - reporting: How the page reports to its host.
    ///   - words: The texts of the page.
    /// - Returns: The page.
    /// - Throws: ``PageError`` for an action without a page (an app, a wallet), and for values that
    ///   a browser cannot send.
    public func page(
        reporting: PageReporting = PageReporting(),
        words: PageWords = PageWords()
    ) throws(PageError) -> Page {
        let loopback = payment.service.configuration.environment.allowsInsecureLoopback
        switch kind {
        case .load3DSMethod:
            return try Page.threeDSMethod(
                TaskForm(view, allowsInsecureLoopback: loopback),
                reporting: reporting,
                words: words,
                allowsInsecureLoopback: loopback
            )
        case .show3DS(let form):
            return try Page.challenge(
                TaskForm(view, allowsInsecureLoopback: loopback),
                notificationURL: form.notificationURL,
                reporting: reporting,
                words: words,
                allowsInsecureLoopback: loopback
            )
        case .showMenu:
            return try Page.menu(
                PaymentMenu(view),
                reporting: reporting,
                words: words,
                allowsInsecureLoopback: loopback
            )
        case .checkIn:
            return try Page.checkIn(
                CheckIn(view),
                reporting: reporting,
                words: words,
                allowsInsecureLoopback: loopback
            )
        case .launchApp, .authorizeWallet:
            throw .malformed(
                member: "kind",
                reason: "an app or a wallet is opened, not shown in a page"
            )
        }
    }
}

extension Payment.ClientAction: Encodable {
    /// Encodes the action's identifier, the name of its kind and the members of that kind.
    public func encode(to encoder: any Encoder) throws { try view.encode(to: encoder) }
}
