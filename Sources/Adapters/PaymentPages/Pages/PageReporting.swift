internal import EventLog
internal import SwedbankPay

/// How a page notifies its host of events.
///
/// Every configured channel is used. Events are claims of a page: they advance a session, but prove
/// nothing. Messages are objects with `source` (always `payment-page`), `page`, `event` and, if
/// there is one, `reason`; a failure that the PSP's script reported has `failure` with `origin`,
/// `messageId` and `details`.
public struct PageReporting: Hashable, Sendable {
    /// The name of a web view's message handler: `window.webkit.messageHandlers.NAME` receives an
    /// object, `window.NAME.postMessage` of a script interface receives its JSON text.
    public var messageHandler: String?
    /// The origin of the page that frames or opened this one; it receives the object by
    /// `postMessage`.
    public var parentOrigin: String?
    /// The URL to which the page navigates once it has ended, with `event` and `reason` added to
    /// the query.
    public var resultURL: String?

    /// The default name of the message handler.
    public static let standardHandler = "paymentPage"

    /// Creates a value with these channels.
    public init(
        messageHandler: String? = PageReporting.standardHandler,
        parentOrigin: String? = nil,
        resultURL: String? = nil
    ) {
        self.messageHandler = messageHandler
        self.parentOrigin = parentOrigin
        self.resultURL = resultURL
    }

    /// Validates the channels.
    func checked(allowsInsecureLoopback: Bool) throws(PageError) -> PageReporting {
        if let messageHandler {
            let bytes = messageHandler.utf8
            guard let first = bytes.first, first.isASCIILetter, bytes.count <= 64,
                bytes.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit })
            else {
                throw .malformed(
                    member: "messageHandler",
                    reason: "it must consist of letters and digits"
                )
            }
        }
        if let parentOrigin {
            let isOrigin = PageAddress.isOrigin(
                parentOrigin,
                allowsInsecureLoopback: allowsInsecureLoopback
            )
            guard isOrigin else {
                throw .malformed(
                    member: "parentOrigin",
                    reason: "it must be an origin such as https://shop.example"
                )
            }
        }
        if resultURL != nil {
            _ = try PageAddress(
                resultURL,
                member: "resultURL",
                allowsInsecureLoopback: allowsInsecureLoopback
            )
        }
        return self
    }

    /// The policy's sources that may frame the page.
    var ancestors: [String] { ["'self'"] + (parentOrigin.map { [$0] } ?? []) }
}

/// An event of a page, read from the address that the page went to.
public struct PageEvent: Hashable, Sendable {
    /// The event: `shown`, `paid`, `done`, `failed`, `timedOut`, `completed`, `blocked`.
    public var event: String
    /// The reason, if there is one.
    public var reason: String?

    /// The maximum length of a text.
    static let maximumLength = 64

    /// Creates an event with these members.
    public init(event: String, reason: String? = nil) {
        self.event = event
        self.reason = reason
    }

    /// Reads the event from an address that a page went to; `nil` for another address, or one
    /// without an event.
    ///
    /// - Parameters:
    ///   - url: The address that the page went to.
    ///   - resultURL: The address configured for results.
    public init?(url: String, resultURL: String) {
        guard PaymentURL.isEquivalent(url, resultURL), let query = AddressParts(url)?.query,
            let fields = try? FormFields(Array(query.utf8)),
            let event = fields.values(named: "event").last, Self.isWord(event)
        else { return nil }
        self.event = event
        reason = fields.values(named: "reason").last.flatMap { Self.isWord($0) ? $0 : nil }
    }

    private static func isWord(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= maximumLength
            && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x2D }
    }
}
