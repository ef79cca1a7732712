/// Whether somebody overrides the redirect policy that a checkout was configured with, for example to find an error.
///
/// - Note: Source: redirect policy of the mobile SDKs.
public enum RedirectBehavior: String, Hashable, Sendable, CaseIterable {
    /// Nobody does: the configured policy decides.
    case asConfigured = "Default"
    /// Everything is opened in the web view.
    case alwaysUseWebView = "AlwaysUseWebView"
    /// Everything is opened in the browser.
    case alwaysUseBrowser = "AlwaysUseBrowser"

    /// The policy that is in force.
    ///
    /// - Parameter configured: The policy of the configuration.
    public func policy(configured: RedirectPolicy) -> RedirectPolicy {
        switch self {
        case .asConfigured: configured
        case .alwaysUseWebView: .webView
        case .alwaysUseBrowser: .browser
        }
    }
}
