internal import Adapters
internal import SwedbankPay

/// The configuration of a merchant backend.
public struct BackendConfiguration: Sendable {
    /// The address of the root, with a trailing slash; everything else is below it.
    public var publicURL: String { place.url }
    /// The root of the PSP's API, without a trailing slash.
    public let pspURL: String
    /// The merchant's token for the PSP's API.
    public let accessToken: AccessToken
    /// The merchant's id at the PSP, which is added to every order.
    public let payeeID: String
    /// The additional features for callers, besides creating orders and completing their payment.
    public var features = BackendFeatures()
    /// The purposes that an order of a caller may have.
    ///
    /// Recurring and unscheduled purchases charge a stored card without the payer, so no caller may
    /// request them with a new order; see ``BackendFeatures/allowChargeStoredTokens``.
    public var allowedPurposes: Set<String> = ["Purchase", "Verify"]
    /// Members of an order that are accepted from callers in addition to those of the payment order
    /// model.
    ///
    /// They are given by their paths (`payer.loyaltyNumber`) and include everything within them. A
    /// member that is neither in the model nor here is refused, because its effect has not been
    /// reviewed.
    public var additionalOrderMembers: Set<String> = []
    /// The unguessable part of the address for the PSP's callbacks; without it, callbacks are not
    /// accepted.
    public var callbackSecret: CallbackSecret?
    /// The sources that callbacks are accepted from; when it is empty, all sources.
    ///
    /// This is only a second line of defence: an address can be forged, and host names are not
    /// possible.
    public var callbackSources: [SourceRange] = []
    /// How payers return into apps; see ``setReturnPages(_:)``.
    public private(set) var returnPages = ReturnPages()
    /// The time for which clients may cache the root's links, in seconds; 0 means for one request
    /// only.
    public var rootLifetimeSeconds = 3600
    /// The time limit of a request to the PSP.
    public var upstreamDeadline: Duration = .seconds(20)
    /// The maximum size of a request body, in bytes.
    public var maximumBodyBytes = 256 * 1024
    /// The maximum size of a callback body, in bytes.
    public var maximumCallbackBytes = 16 * 1024
    /// How deeply lists and objects of a request or response may be nested.
    public var maximumDepth = 32
    /// The client name for an order that contains none and whose request has no `User-Agent`.
    public var defaultUserAgent = "merchant-backend"
    /// Whether `http` to this machine is accepted, for sandboxes.
    public let allowsInsecureLoopback: Bool

    let place: PublicRoot
    /// The path of ``publicURL``, with a slash at both ends.
    var rootPath: String { place.path }

    /// Creates a configuration with these members and defaults for everything optional.
    ///
    /// - Parameters:
    ///   - publicURL: The address of the root as clients see it; a missing trailing slash is added.
    ///   - pspURL: The root of the PSP's API.
    ///   - accessToken: The merchant's token for it.
    ///   - payeeID: The merchant's id at the PSP.
    ///   - allowsInsecureLoopback: Whether `http` to this machine is accepted for both addresses.
    /// - Throws: ``BackendConfigurationError``, which names the invalid member.
    public init(
        publicURL: String,
        pspURL: String,
        accessToken: AccessToken,
        payeeID: String,
        allowsInsecureLoopback: Bool = false
    ) throws(BackendConfigurationError) {
        place = try PublicRoot(publicURL, allowsInsecureLoopback: allowsInsecureLoopback)
        let psp = pspURL.hasSuffix("/") ? String(pspURL.dropLast()) : pspURL
        _ = try WebAddress.path(
            of: psp + "/",
            member: "pspURL",
            allowsInsecureLoopback: allowsInsecureLoopback
        )
        guard !payeeID.isEmpty, payeeID.utf8.count <= 64,
            payeeID.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw .malformed(member: "payeeID", reason: "it must be the merchant's id at the PSP")
        }
        self.pspURL = psp
        self.accessToken = accessToken
        self.payeeID = payeeID
        self.allowsInsecureLoopback = allowsInsecureLoopback
    }

    /// Sets the apps that payers return to.
    ///
    /// - Throws: ``BackendConfigurationError`` when the page with the button is on the host of the
    ///   payment URLs, where no system would treat its link as an app's. With `http` to this
    ///   machine, for sandboxes, that is allowed.
    public mutating func setReturnPages(
        _ pages: ReturnPages
    ) throws(BackendConfigurationError) {
        try place.check(pages)
        returnPages = pages
    }

    /// The callback address that orders contain; `nil` without a secret.
    var callbackURL: String? {
        callbackSecret.map { publicURL + "callbacks/" + $0.text }
    }
}

/// The merchant's token for the PSP's API; no description shows it.
public struct AccessToken: Hashable, Sendable {
    let text: String

    /// Creates a token from the PSP's text.
    ///
    /// - Throws: ``BackendConfigurationError`` when it is empty or can't be sent in a header.
    public init(_ text: String) throws(BackendConfigurationError) {
        guard !text.isEmpty, text.utf8.count <= 4096,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw .malformed(
                member: "accessToken",
                reason: "it must be the token alone, without spaces or line breaks"
            )
        }
        self.text = text
    }
}

/// The secret that makes the address for the PSP's callbacks unguessable; no description shows it.
public struct CallbackSecret: Hashable, Sendable {
    /// The minimum length of a secret: 128 bits in letters, digits, `-` and `_`.
    public static let minimumLength = 22
    /// The maximum length of a secret.
    public static let maximumLength = 128

    let text: String

    /// Creates a secret from random letters and digits.
    ///
    /// - Throws: ``BackendConfigurationError`` when it is too short or contains anything else.
    public init(_ text: String) throws(BackendConfigurationError) {
        guard (Self.minimumLength...Self.maximumLength).contains(text.utf8.count),
            text.utf8.allSatisfy(RandomName.isNameByte)
        else {
            throw .malformed(
                member: "callbackSecret",
                reason: "it must be \(Self.minimumLength) to \(Self.maximumLength) random "
                    + "letters and digits"
            )
        }
        self.text = text
    }
}

extension AccessToken: CustomStringConvertible, CustomReflectable {
    /// Dots, never the token.
    public var description: String { "•••" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension CallbackSecret: CustomStringConvertible, CustomReflectable {
    /// Dots, never the secret.
    public var description: String { "•••" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
