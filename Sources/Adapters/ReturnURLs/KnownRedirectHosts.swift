public import SwedbankPay

extension HostPattern {
    /// The hosts of banks' pages that are known to come back from a web view.
    ///
    /// The PSP does not keep the list up to date any more, and shows everything in the web view instead. Whoever
    /// tells web view from browser begins with it and adds what they have found.
    ///
    /// - Note: Source: redirect policy of the mobile SDKs, bundled list.
    public static let knownGood: [HostPattern] = list(knownGoodList)

    /// ``knownGood`` as a list's text.
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
    /// What the options of a checkout say: of the pages that its policy decides about all stay in the web view, unless it
    /// names hosts; then those and the known ones.
    public init(_ options: CheckoutOptions) {
        switch options.redirects {
        case .webView: self = .webView
        case .browser: self = .browser
        case .policy where options.redirectHosts.isEmpty: self = .webView
        case .policy:
            self = .knownGood(adding: options.redirectHosts.compactMap { HostPattern($0) })
        }
    }

    /// Known hosts stay in the web view, and those that the app adds.
    public static func knownGood(adding patterns: [HostPattern] = []) -> RedirectPolicy {
        .hosts(HostPattern.knownGood + patterns)
    }
}
