internal import EventLog
internal import SwedbankPay

/// How a page tells its host what happened in it.
///
/// Every way that is set is used. Whatever a page tells is the word of a page: it moves a session on, it proves
/// nothing. Messages are objects with `source` (always `payment-page`), `page`, `event` and, where there is one,
/// `reason`; a failure that the PSP's script reported has `failure` with `origin`, `messageId` and `details`.
public struct PageReporting: Hashable, Sendable {
    /// The name of a web view's message handler: `window.webkit.messageHandlers.NAME` gets an object,
    /// `window.NAME.postMessage` of a script interface gets its JSON text.
    public var messageHandler: String?
    /// The origin of the page that frames or opened this one, which gets the object by `postMessage`.
    public var parentOrigin: String?
    /// Where the page goes once it has ended, with `event` and `reason` added to the query.
    public var resultURL: String?

    /// The name that web views are expected to give their handler.
    public static let standardHandler = "paymentPage"

    /// The ways that are to be used.
    public init(
        messageHandler: String? = PageReporting.standardHandler,
        parentOrigin: String? = nil,
        resultURL: String? = nil
    ) {
        self.messageHandler = messageHandler
        self.parentOrigin = parentOrigin
        self.resultURL = resultURL
    }

    /// Checks what was set.
    func checked(allowsInsecureLoopback: Bool) throws(PageError) -> PageReporting {
        if let messageHandler {
            let bytes = messageHandler.utf8
            guard let first = bytes.first, first.isASCIILetter, bytes.count <= 64,
                bytes.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit })
            else {
                throw .malformed(member: "messageHandler", reason: "letters and digits make a name")
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
                    reason: "it has to be an origin such as https://shop.example"
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

    /// What a policy says of who may frame the page.
    var ancestors: [String] { ["'self'"] + (parentOrigin.map { [$0] } ?? []) }
}

/// What a page told, read from the address that it went to.
public struct PageEvent: Hashable, Sendable {
    /// What happened: `shown`, `paid`, `done`, `failed`, `timedOut`, `completed`, `blocked`.
    public var event: String
    /// Why, where there is a reason.
    public var reason: String?

    /// The longest text that is taken.
    static let maximumLength = 64

    /// An event with these members.
    public init(event: String, reason: String? = nil) {
        self.event = event
        self.reason = reason
    }

    /// Reads the event from an address that a page went to.
    ///
    /// - Parameters:
    ///   - url: Where the page went.
    ///   - resultURL: The address it was told to go to.
    /// - Returns: Nothing when it is another address, or carries no event.
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
