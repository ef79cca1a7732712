/// Whether the configured redirect policy of a checkout is overridden, for example for
/// troubleshooting.
///
/// - Note: Source: redirect policy of the mobile SDKs.
public enum RedirectBehavior: String, Hashable, Sendable, CaseIterable {
    /// Not overridden: the configured policy decides.
    case asConfigured = "Default"
    /// Everything is opened in the web view.
    case alwaysUseWebView = "AlwaysUseWebView"
    /// Everything is opened in the browser.
    case alwaysUseBrowser = "AlwaysUseBrowser"

    /// Returns the policy in force.
    ///
    /// - Parameter configured: The configured policy.
    /// - Returns: The policy.
    public func policy(configured: RedirectPolicy) -> RedirectPolicy {
        switch self {
        case .asConfigured: configured
        case .alwaysUseWebView: .webView
        case .alwaysUseBrowser: .browser
        }
    }
}
