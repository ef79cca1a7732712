public import SwedbankPay

extension HostPattern {
    /// The hosts of bank pages that are known to return from a web view.
    ///
    /// The PSP no longer maintains the list, and shows everything in the web view instead. An app
    /// that distinguishes web view and browser can start with this list and add its own findings.
    ///
    /// - Note: Source: redirect policy of the mobile SDKs, bundled list.
    public static let knownGood: [HostPattern] = list(knownGoodList)

    /// The list's text.
    public static let knownGoodList = """
        # The PSP's own pages
        **.payex.com
        # Banks and their service providers
        acs4.sparebank1.no
        *.3dsecure.no
        *.3ds.modirum.com
        idcheck.acs.touchtechpayments.com
        verifiedbyvisa.acs.touchtechpayments.com
        *.wlp-acs.com
        *.op.fi
        acs1.luottokunta.fi
        online.s-pankki.fi
        identify.nordea.com
        verifiedbyvisa.skandia.se

        """
}

extension RedirectPolicy {
    /// Converts the options of a checkout: with a policy, all pages stay in the web view unless the
    /// options name hosts; then those and the known hosts do.
    public init(_ options: CheckoutOptions) {
        switch options.redirects {
        case .webView: self = .webView
        case .browser: self = .browser
        case .policy where options.redirectHosts.isEmpty: self = .webView
        case .policy:
            self = .knownGood(adding: options.redirectHosts.compactMap { HostPattern($0) })
        }
    }

    /// Keeps the known hosts and those that the app adds in the web view.
    public static func knownGood(adding patterns: [HostPattern] = []) -> RedirectPolicy {
        .hosts(HostPattern.knownGood + patterns)
    }
}
