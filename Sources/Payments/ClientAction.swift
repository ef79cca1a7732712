public import Adapters
internal import EventLog
public import Inspection
public import SwedbankPay
internal import Workflow

extension Payment {
    /// Something that the payer's app or browser has to do, with all values that it needs.
    ///
    /// It contains values with which the payer can be impersonated: pass it only to that payer's
    /// client. Encoded, it has the JSON form that the documentation describes.
    public struct ClientAction: Sendable, Identifiable {
        /// A kind of client action, with its values.
        @nonexhaustive
        public enum Kind: Sendable {
            /// Open another app. Reports: `launched`, `launchFailed`.
            case launchApp(AppLaunch)
            /// Post a form in a hidden frame. Reports: `done`, `failed`.
            case load3DSMethod(BrowserForm)
            /// Post a form to the issuer's page and show that. Reports: `shown`, then
            /// `challengeCompleted`, `canceled` or `failed`.
            case show3DS(BrowserForm)
            /// Present the payment sheet of a wallet. Reports: `authorized`, `canceled`, `failed`.
            case authorizeWallet(WalletRequest)
            /// Show the PSP's payment page. Reports: `shown`, then `completed`, `canceled`,
            /// `failed` or `pageFailed`.
            case showMenu(HostedPage)
            /// Show the PSP's check-in. Reports: `shown`, then `checkedIn`, `canceled` or `failed`.
            case checkIn(HostedPage)
        }

        /// The result of a report.
        public enum ReportResult: Hashable, Sendable {
            /// The report was recorded, now or earlier.
            case accepted
            /// The report came too late: the payment has continued without it.
            case late
        }

        /// The identifier of the action, which stays the same after a restart.
        public let id: ActionID
        /// The kind of the action, with its values.
        public let kind: Kind
        /// The action as it appears in the view of the payment; `WalletConfiguration` can be
        /// created from it.
        public let view: ActionView
        let payment: Payment
    }

    /// An app to open.
    public struct AppLaunch: Hashable, Sendable {
        /// The link that opens the app: a secret.
        public var url: String
    }

    /// A form that a browser posts for the payer; its values are secrets.
    public struct BrowserForm: Sendable {
        /// The URL to which the form is posted.
        public var url: String
        /// `POST` or `GET`.
        public var method: String
        /// The encoding of the fields.
        public var contentType: String
        /// The fields, in the order in which they are sent.
        public var fields: [(name: String, value: String)]
        /// The time limit of the hidden request of ``ClientAction/Kind/load3DSMethod(_:)``.
        public var timeout: Duration?
        /// The URL to which the issuer posts the result of a challenge, `cres`.
        public var notificationURL: String?
    }

    /// A payment sheet of a wallet.
    public struct WalletRequest: Sendable {
        /// The wallet.
        public var wallet: Instrument
        /// The PSP's data for the wallet, by name.
        public var request: JSONValue
    }

    /// A page of the PSP that is drawn by a script.
    public struct HostedPage: Hashable, Sendable {
        /// The URL of the script: a secret.
        public var scriptURL: String
        /// The URL that the page must have: the first of the order's host URLs.
        public var baseURL: String?
        /// The URL to which the page navigates when the payer has finished.
        public var completeURL: String?
        /// The URL to which the page navigates when the payer cancels.
        public var cancelURL: String?
        /// The URL to which the payer returns from another app.
        public var paymentURL: String?
    }
}

extension Payment.ClientAction {
    /// Reports what the client did about the action; see ``Payment/report(_:on:)``.
    @discardableResult
    public func report(_ report: ClientReport) async throws(PaymentError) -> ReportResult {
        try await payment.report(report, on: id)
    }

    /// Returns a complete HTML document that performs the action in a browser or web view.
    ///
    /// - Parameters:
    ///   - reporting: How the page reports to its host.
    ///   - words: The texts of the page.
    /// - Returns: The page.
    /// - Throws: ``PageError`` for an action that needs no page (an app or a wallet), and for
    ///   values that a browser cannot send.
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
    /// Encodes the identifier of the action, the name of its kind, and the members of that kind.
    public func encode(to encoder: any Encoder) throws { try view.encode(to: encoder) }
}
