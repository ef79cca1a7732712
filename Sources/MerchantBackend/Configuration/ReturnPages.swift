internal import Adapters
internal import EventLog
internal import SwedbankPay

/// How payers return from a browser into an app.
///
/// - Note: Source: merchant backend, payment URL generation and helper endpoints.
public struct ReturnPages: Hashable, Sendable {
    /// The packages of our Android apps; an order's payment URL may name no other.
    public private(set) var androidPackages: Set<String> = []
    /// The custom schemes of our iOS apps; an order's payment URL may name no other.
    public private(set) var appleSchemes: Set<String> = []
    /// Our iOS apps as `TEAMID.bundle.id`, which may open the payment URLs themselves.
    public private(set) var appleAppIDs: [String] = []
    /// The page with a button for payers who returned into a browser, on a separate host.
    ///
    /// A universal link is ignored within one domain, so the host can't be that of the payment
    /// URLs.
    public private(set) var trampolineURL: String?
    /// Whether ``trampolineURL`` leads to this backend, which then serves the page.
    public private(set) var servesTrampoline = false

    /// The apps that an intent may name.
    var packages: Set<AndroidPackage> { Set(androidPackages.compactMap { AndroidPackage($0) }) }
    /// The schemes that a redirect may lead to.
    var schemes: Set<CallbackScheme> { Set(appleSchemes.compactMap { CallbackScheme($0) }) }
    /// The page with the button.
    private(set) var trampoline: Trampoline?
    /// The path of the trampoline, if this backend serves it.
    private(set) var trampolinePath: String?

    /// Creates return pages without apps; their addresses lead nowhere.
    public init() {}

    /// Creates the return pages for a merchant's apps.
    ///
    /// - Parameters:
    ///   - androidPackages: Application ids such as `example.shop`.
    ///   - appleSchemes: Custom schemes such as `exampleshop`; none that the web or a system uses.
    ///   - appleAppIDs: `TEAMID.bundle.id` of each app.
    ///   - trampolineURL: The page with the button; required for iOS apps.
    ///   - servesTrampoline: Whether requests for it are passed to this backend.
    ///   - allowsInsecureLoopback: Whether the page's address may be `http` to this machine.
    /// - Throws: ``BackendConfigurationError``, which names the invalid member.
    public init(
        androidPackages: Set<String> = [],
        appleSchemes: Set<String> = [],
        appleAppIDs: [String] = [],
        trampolineURL: String? = nil,
        servesTrampoline: Bool = false,
        allowsInsecureLoopback: Bool = false
    ) throws(BackendConfigurationError) {
        guard androidPackages.allSatisfy({ AndroidPackage($0) != nil }) else {
            throw .malformed(
                member: "androidPackages",
                reason: "each must be an application id such as example.shop"
            )
        }
        guard appleSchemes.allSatisfy({ CallbackScheme($0)?.name == $0 }) else {
            throw .malformed(
                member: "appleSchemes",
                reason: "each must be a custom scheme in lower case, none that the web uses"
            )
        }
        guard appleAppIDs.allSatisfy(Self.isAppID) else {
            throw .malformed(
                member: "appleAppIDs",
                reason: "each must be a team and a bundle such as TEAM123456.example.shop"
            )
        }
        if let trampolineURL {
            let path = try WebAddress.path(
                of: trampolineURL,
                member: "trampolineURL",
                allowsInsecureLoopback: allowsInsecureLoopback
            )
            do throws(ReturnURLError) {
                trampoline = try Trampoline(
                    trampolineURL,
                    allowsInsecureLoopback: allowsInsecureLoopback
                )
            } catch {
                throw .malformed(member: "trampolineURL", reason: error.description)
            }
            trampolinePath = servesTrampoline ? path : nil
        } else if servesTrampoline || !appleSchemes.isEmpty {
            throw .malformed(
                member: "trampolineURL",
                reason: "iOS apps need a page with a button on another host"
            )
        }
        self.androidPackages = androidPackages
        self.appleSchemes = appleSchemes
        self.appleAppIDs = appleAppIDs
        self.trampolineURL = trampolineURL
        self.servesTrampoline = servesTrampoline
    }

    private static func isAppID(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count >= 2 && text.utf8.count <= 255 && parts[0].count == 10
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.allSatisfy {
                        $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-")
                    }
            }
    }
}
