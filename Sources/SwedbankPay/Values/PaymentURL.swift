/// Recognizes the addresses of an order in a link that the payer is sent to.
public enum PaymentURL {
    /// Whether a link leads to an address of the order.
    ///
    /// Scheme and host are compared without letter case. Default ports and an empty path are
    /// equivalent to explicit ones, a slash at the path's end is ignored, percent encoding is
    /// normalised, and the link may have further query items.
    ///
    /// - Parameters:
    ///   - link: The link that the PSP sends the payer to.
    ///   - reference: The order's address.
    /// - Returns: Whether it leads there.
    ///
    /// - Note: Source: payment session API, additional invariants of the recommended ladder.
    public static func isEquivalent(_ link: String, _ reference: String) -> Bool {
        extraQueryItems(of: link, over: reference) != nil
    }

    /// Whether two addresses lead to each other and so can't be distinguished.
    static func isSame(_ one: String, _ other: String) -> Bool {
        isEquivalent(one, other) && isEquivalent(other, one)
    }

    /// The number of query items of a link in addition to those of the address that it leads to.
    ///
    /// - Returns: The number; `nil` when it leads elsewhere.
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
    /// Determines where a `redirect-payer` link leads.
    ///
    /// The PSP may add query items, so a link can match more than one address of the order, for
    /// example `/return` and `/return?canceled=1`. The address that leaves the fewest additional
    /// items is chosen, so that a canceled payment is never mistaken for a paid one; among equals
    /// the order is complete, cancel, payment.
    ///
    /// - Parameters:
    ///   - href: The link; `nil` when the operation has none.
    ///   - urls: The order's addresses.
    /// - Returns: The target.
    public static func classify(_ href: String?, urls: PlaintextOrderURLs) -> RedirectTarget {
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
