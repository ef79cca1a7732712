internal import Adapters
internal import SwedbankPay

/// How a merchant backend is set up.
public struct BackendConfiguration: Sendable {
    /// The address of the root, with a slash at its end; everything else lies below it.
    public let publicURL: String
    /// The root of the PSP's API, without a slash at its end.
    public let pspURL: String
    /// The merchant's token for the PSP's API.
    public let accessToken: AccessToken
    /// The merchant's id at the PSP, put into every order.
    public let payeeID: String
    /// What callers may do beyond creating orders and seeing them through.
    public var features = BackendFeatures()
    /// The purposes that an order of a caller may have.
    ///
    /// Recurring and unscheduled purchases charge a stored card without the payer: no caller may ask for them with a new
    /// order; see ``BackendFeatures/allowChargeStoredTokens``.
    public var allowedPurposes: Set<String> = ["Purchase", "Verify"]
    /// Members of an order that are taken from callers beside those of the payment order model, by their paths
    /// (`payer.loyaltyNumber`), with all that lies in them.
    ///
    /// What is not in the model and not here is refused: whatever it switches on, nobody here has looked at it.
    public var additionalOrderMembers: Set<String> = []
    /// The part of the address of the PSP's callbacks that nobody can guess; nothing takes no callbacks.
    public var callbackSecret: CallbackSecret?
    /// From where callbacks are taken; empty takes them from everywhere.
    ///
    /// A second line of defence only: an address can be forged, and names are not possible.
    public var callbackSources: [SourceRange] = []
    /// How payers come back into apps; see ``setReturnPages(_:)``.
    public private(set) var returnPages = ReturnPages()
    /// How long clients may keep the root's links, in seconds; 0 means for one request only.
    public var rootLifetimeSeconds = 3600
    /// How long a call of the PSP may take.
    public var upstreamDeadline: Duration = .seconds(20)
    /// The largest body of a request, in bytes.
    public var maximumBodyBytes = 256 * 1024
    /// The largest body of a callback, in bytes.
    public var maximumCallbackBytes = 16 * 1024
    /// How deep lists and objects of a request and of an answer may be nested.
    public var maximumDepth = 32
    /// The name of the client in an order that brings none, and whose request has no `User-Agent`.
    public var defaultUserAgent = "merchant-backend"
    /// Whether `http` to this machine is taken: for sandboxes.
    public let allowsInsecureLoopback: Bool

    /// ``publicURL``, as the makers of payment URLs take it.
    let root: BackendRoot
    /// The path of ``publicURL``, with a slash at both ends.
    let rootPath: String

    /// A configuration with these members, everything optional as the defaults say.
    ///
    /// - Parameters:
    ///   - publicURL: The address of the root as clients see it; a missing slash at its end is added.
    ///   - pspURL: The root of the PSP's API.
    ///   - accessToken: The merchant's token for it.
    ///   - payeeID: The merchant's id at the PSP.
    ///   - allowsInsecureLoopback: Whether `http` to this machine is taken for both addresses.
    /// - Throws: What is wrong, by the member's name.
    public init(
        publicURL: String,
        pspURL: String,
        accessToken: AccessToken,
        payeeID: String,
        allowsInsecureLoopback: Bool = false
    ) throws(BackendConfigurationError) {
        let root = publicURL.hasSuffix("/") ? publicURL : publicURL + "/"
        rootPath = try WebAddress.path(
            of: root,
            member: "publicURL",
            allowsInsecureLoopback: allowsInsecureLoopback
        )
        do throws(ReturnURLError) {
            self.root = try BackendRoot(root, allowsInsecureLoopback: allowsInsecureLoopback)
        } catch {
            throw .malformed(member: "publicURL", reason: error.description)
        }
        let psp = pspURL.hasSuffix("/") ? String(pspURL.dropLast()) : pspURL
        _ = try WebAddress.path(
            of: psp + "/",
            member: "pspURL",
            allowsInsecureLoopback: allowsInsecureLoopback
        )
        guard !payeeID.isEmpty, payeeID.utf8.count <= 64,
            payeeID.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw .malformed(member: "payeeID", reason: "it has to be the merchant's id at the PSP")
        }
        self.publicURL = root
        self.pspURL = psp
        self.accessToken = accessToken
        self.payeeID = payeeID
        self.allowsInsecureLoopback = allowsInsecureLoopback
    }

    /// Names the apps that payers come back into.
    ///
    /// - Throws: When the page with the button lies on the host of the payment URLs, where no system would take its
    ///   link for an app's. With `http` to this machine, for sandboxes, that is allowed.
    public mutating func setReturnPages(
        _ pages: ReturnPages
    ) throws(BackendConfigurationError) {
        let hosts = [publicURL, pages.trampolineURL ?? ""].map { AddressParts($0)?.host }
        guard hosts[0] != hosts[1] || AddressParts(publicURL)?.scheme == "http" else {
            throw .malformed(
                member: "trampolineURL",
                reason: "it has to lie on another host than publicURL"
            )
        }
        returnPages = pages
    }

    /// The address that orders name for the PSP's callbacks; nothing without a secret.
    var callbackURL: String? {
        callbackSecret.map { publicURL + "callbacks/" + $0.text }
    }
}

/// The merchant's token for the PSP's API; no description shows it.
public struct AccessToken: Hashable, Sendable {
    let text: String

    /// A token as the PSP gave it.
    ///
    /// - Throws: ``BackendConfigurationError`` when it is empty or cannot stand in a header.
    public init(_ text: String) throws(BackendConfigurationError) {
        guard !text.isEmpty, text.utf8.count <= 4096,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw .malformed(
                member: "accessToken",
                reason: "it has to be the token alone: no blanks, no line break"
            )
        }
        self.text = text
    }
}

/// What makes the address of the PSP's callbacks unguessable; no description shows it.
public struct CallbackSecret: Hashable, Sendable {
    /// The shortest secret: 128 bits in letters, digits, `-` and `_`.
    public static let minimumLength = 22
    /// The longest secret.
    public static let maximumLength = 128

    let text: String

    /// A secret of random letters and digits.
    ///
    /// - Throws: ``BackendConfigurationError`` when it is too short or holds anything else.
    public init(_ text: String) throws(BackendConfigurationError) {
        guard (Self.minimumLength...Self.maximumLength).contains(text.utf8.count),
            text.utf8.allSatisfy(RandomName.isNameByte)
        else {
            throw .malformed(
                member: "callbackSecret",
                reason: "it has to be \(Self.minimumLength) to \(Self.maximumLength) random "
                    + "letters and digits"
            )
        }
        self.text = text
    }
}

extension AccessToken: CustomStringConvertible, CustomReflectable {
    /// Never the token.
    public var description: String { "•••" }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension CallbackSecret: CustomStringConvertible, CustomReflectable {
    /// Never the secret.
    public var description: String { "•••" }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
