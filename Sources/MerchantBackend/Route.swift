internal import Adapters
internal import HTTPTypes
internal import SwedbankPay

/// The endpoint that a path leads to.
///
/// - Note: Source: merchant backend, endpoints.
enum Route: Hashable {
    case root
    case consumers
    case orders
    case charges
    case instrument(name: String)
    case patch
    case expand
    case tokens
    case paymentTokens(payer: String)
    case paymentToken(payer: String, token: String)
    case androidReturn
    case iosReturn
    case trampoline
    case association
    case callback(secret: String)
    case challenge(reference: String)

    /// Creates the route of a path; `nil` for an unknown one.
    init?(path: String, in configuration: BackendConfiguration) {
        self.init(
            path: path,
            below: configuration.rootPath,
            button: configuration.returnPages.trampolinePath
        )
    }

    /// Creates the route of a path; `nil` for an unknown one.
    ///
    /// - Parameters:
    ///   - path: The path as requested.
    ///   - root: The path of the root, with a slash at both ends.
    ///   - button: The path of the page with the button; `nil` when it is elsewhere.
    init?(path: String, below root: String, button: String?) {
        if path == "/.well-known/apple-app-site-association" {
            self = .association
            return
        }
        if let button, path == button {
            self = .trampoline
            return
        }
        if path == root || path + "/" == root {
            self = .root
            return
        }
        guard path.hasPrefix(root) else { return nil }
        var parts: [String] = []
        for part in path.dropFirst(root.count).split(
            separator: "/",
            omittingEmptySubsequences: false
        ) {
            guard let text = PathPart.decoded(part.utf8) else { return nil }
            parts.append(text)
        }
        self.init(parts: parts)
    }

    private init?(parts: [String]) {
        switch (parts.first, parts.count) {
        case ("consumers", 1): self = .consumers
        case ("paymentorders", 1): self = .orders
        case ("charges", 1): self = .charges
        case ("paymentorders", 3) where parts[2] == "setInstrument":
            self = .instrument(name: parts[1])
        case ("patch", 1): self = .patch
        case ("expand", 1): self = .expand
        case ("tokens", 1): self = .tokens
        case ("payers", 3) where parts[2] == "paymentTokens":
            self = .paymentTokens(payer: parts[1])
        case ("payers", 4) where parts[2] == "paymentTokens":
            self = .paymentToken(payer: parts[1], token: parts[3])
        case ("sdk-callback", 2) where parts[1] == "android-intent": self = .androidReturn
        case ("sdk-callback", 2) where parts[1] == "ios-universal-link": self = .iosReturn
        case ("callbacks", 2): self = .callback(secret: parts[1])
        case ("3ds", 2): self = .challenge(reference: parts[1])
        default: return nil
        }
    }

    /// The only HTTP method of the endpoint.
    var method: HTTPRequest.Method {
        switch self {
        case .root, .paymentTokens, .androidReturn, .iosReturn, .trampoline, .association: .get
        case .consumers, .orders, .charges, .expand, .tokens, .callback, .challenge: .post
        case .instrument, .patch, .paymentToken: .patch
        }
    }
}
