/// How the addresses of an order are recognised in a link that the payer is sent to.
public enum PaymentURL {
    /// Whether a link leads to an address of the order.
    ///
    /// Scheme and host are compared without letter case, default ports and an empty path count as
    /// written out, a slash at the path's end does not matter, percent encoding is normalised, and the
    /// link may have further query items.
    ///
    /// - Parameters:
    ///   - link: Where the PSP sends the payer.
    ///   - reference: The order's address.
    ///
    /// - Note: Source: payment session API, additional invariants of the recommended ladder.
    public static func isEquivalent(_ link: String, _ reference: String) -> Bool {
        extraQueryItems(of: link, over: reference) != nil
    }

    /// Whether two addresses lead to each other, so that nobody could tell them apart.
    static func isSame(_ one: String, _ other: String) -> Bool {
        isEquivalent(one, other) && isEquivalent(other, one)
    }

    /// How many query items a link has beyond an address that it leads to.
    ///
    /// - Returns: Nil when it leads elsewhere.
    static func extraQueryItems(of link: String, over reference: String) -> Int? {
        guard !link.isEmpty else { return nil }
        if link == reference { return 0 }
        guard let left = AddressParts(link), let right = AddressParts(reference),
            left.scheme == right.scheme, left.hasSamePlace(as: right, scheme: right.scheme)
        else { return nil }
        return left.extraQueryItems(over: right)
    }
}

extension RedirectTarget {
    /// Finds out where a `redirect-payer` link leads.
    ///
    /// Since the PSP may add query items, a link can match more than one address of the order, for
    /// example `/return` and `/return?canceled=1`. The address that leaves the fewest items
    /// unexplained wins, so that a cancelled payment is never taken for a paid one; between equals the
    /// order is complete, cancel, payment.
    ///
    /// - Parameters:
    ///   - href: The link; nil when the operation has none.
    ///   - urls: The order's addresses.
    public static func classify(_ href: String?, urls: ClearOrderURLs) -> RedirectTarget {
        guard let href, !href.isEmpty else { return .unreadable }
        let candidates: [(String?, RedirectTarget)] = [
            (urls.complete, .complete), (urls.cancel, .cancel), (urls.payment, .payment),
        ]
        var best: (extra: Int, target: RedirectTarget)?
        for case (let address?, let target) in candidates {
            guard let extra = PaymentURL.extraQueryItems(of: href, over: address) else { continue }
            if best.map({ extra < $0.extra }) ?? true { best = (extra, target) }
        }
        if let best { return best.target }
        guard let host = AddressParts(href)?.host, APIAddress.isPlainHost(host) else {
            return .unreadable
        }
        return .elsewhere(host: host)
    }
}
