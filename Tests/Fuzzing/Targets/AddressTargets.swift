import EventLog

@testable import Adapters
@testable import SwedbankPay
@testable import SwedbankPayHTTP

extension FuzzTarget {
    /// A URL to which the payer returned, with the order's payment URL and the app's own scheme.
    static let returnURL = matchingReturnURLs {
        ReturnURL.match($0, paymentURL: $1, callbackScheme: $2)
    }

    /// The same with code that compares URLs.
    static func matchingReturnURLs(
        _ match:
            @escaping @Sendable (_ url: String, _ payment: String, _ scheme: String?) -> ReturnForm?
    ) -> FuzzTarget {
        FuzzTarget(
            name: "return-url",
            maximumLength: 4096,
            growths: [
                .repeating("a=b&", after: "https://h/?", before: "\nhttps://h/?a=b"),
                .repeating("&", after: "https://h/?", before: "\nhttps://h/"),
                .repeating("%41", after: "https://h/", before: "\nhttps://h/A"),
                .repeating("/", after: "https:", before: "\nhttps://h/"),
                .repeating("%", after: "https://h/", before: "\nhttps://h/"),
                .repeating("&callbackurl=", after: "swish://pay?x", before: "\nhttps://h/"),
            ],
            check: { bytes throws(Broken) in
                let lines = Lines(bytes)
                let (url, payment, scheme) = (lines[0], lines[1], lines[2])
                let ours = "https://shop.example/pay?id=7f0c"
                let form = match(url, payment, scheme)
                if let form {
                    try checkMatch(form, url, payment, scheme)
                }
                for (left, right) in [(url, url), (payment, payment)]
                where AddressParts(left) != nil {
                    try hold(
                        match(left, right, nil) == .original,
                        "a payment URL is its own"
                    )
                }
                if AddressParts(url) == nil {
                    try hold(
                        ReturnURL.match(url, paymentURL: ours, callbackScheme: "shop") == nil,
                        "what is no address is not this payment's"
                    )
                }
                let urls = PlaintextOrderURLs(
                    complete: payment,
                    cancel: ours,
                    payment: ours + "&x=1"
                )
                let target = RedirectTarget.classify(url, urls: urls)
                if case .elsewhere(let host) = target {
                    try hold(APIAddress.isPlainHost(host), "only plain hosts are shown")
                }
                if target == .complete {
                    try hold(PaymentURL.isEquivalent(url, payment), "paid is what leads there")
                }
                try checkLink(AppLink.adding(callbackURL: ours, to: url), from: url)
                try ReturnPages.check(query: payment)
                return form != nil
            }
        )
    }

    private static func checkMatch(
        _ form: ReturnForm,
        _ url: String,
        _ payment: String,
        _ scheme: String
    ) throws(Broken) {
        guard let left = AddressParts(url), let right = AddressParts(payment) else {
            throw Broken(description: "what matches is an address")
        }
        try hold(left.host == right.host, "what matches has the same host")
        try hold(
            left.scheme == right.scheme || left.scheme == scheme.lowercased(),
            "what matches has a scheme that was allowed"
        )
        try hold((form == .customScheme) == (left.scheme != right.scheme), "the form is right")
        let more = url + (left.query == nil ? "?" : "&") + "swish=done"
        if left.fragment == nil, more.utf8.count <= AddressParts.maximumLength {
            let again = ReturnURL.match(more, paymentURL: payment, callbackScheme: scheme)
            try hold(
                again == (form == .customScheme ? .customScheme : .augmented),
                "an item more does not matter"
            )
        }
    }

    private static func checkLink(_ link: String, from href: String) throws(Broken) {
        try hold(AppLink.scheme(of: link) == AppLink.scheme(of: href), "a link keeps its scheme")
        guard link != href else { return }
        try hold(AppLink.scheme(of: href) == "swish", "only the one app's links are changed")
        try hold(
            AppLink.adding(callbackURL: "https://evil.example/", to: link) == link,
            "a link that has a way back is left alone"
        )
    }

    /// A list of hosts that stay in the web view and, after an empty line, the hosts to check.
    static let redirectHosts = matchingRedirectHosts { $0.matches($1) }

    /// The same with code that compares hosts.
    static func matchingRedirectHosts(
        _ matches: @escaping @Sendable (HostPattern, _ host: String) -> Bool
    ) -> FuzzTarget {
        FuzzTarget(
            name: "redirect-hosts",
            maximumLength: 4096,
            growths: [
                .repeating("a.example\n"), .repeating("*.\n"), .repeating("a", before: ".example"),
                .repeating("a.", before: "example"), .repeating(" "), .repeating("#"),
                .repeating("\u{301}"), .repeating("\n"),
            ],
            check: { bytes throws(Broken) in
                let text = String(decoding: bytes, as: UTF8.self)
                let patterns = HostPattern.list(text)
                try hold(
                    patterns.count <= HostPattern.maximumCount,
                    "the bound on patterns is kept"
                )
                let lines = Lines(bytes).all.suffix(8)
                for host in lines {
                    for (line, pattern) in lines.compactMap({ l in HostPattern(l).map { (l, $0) } })
                    {
                        try hold(
                            matches(pattern, host) == Labels.match(line, host),
                            "label by label gives the same"
                        )
                    }
                    let url = "https://\(host)/x"
                    let isKept = RedirectPolicy.hosts(patterns).keepsInWebView(url)
                    if isKept {
                        try hold(AddressParts(url)?.host != nil, "only addresses are kept")
                    }
                }
                try hold(HostPattern.list(text) == patterns, "the same list is read again")
                return !patterns.isEmpty
            }
        )
    }

    /// URLs and names from people and other programs.
    static let addresses = FuzzTarget(
        name: "addresses",
        maximumLength: 4096,
        growths: [
            .repeating("a", after: "https://"), .repeating("a.", after: "https://"),
            .repeating("../", after: "https://h/"), .repeating("./", after: "https://h/"),
            .repeating("+"), .repeating("1", after: "+"), .repeating("a.", before: "b"),
        ],
        check: { bytes throws(Broken) in
            let text = Lines(bytes)[0]
            var isAccepted = MSISDN(text) != nil || CallbackScheme(text) != nil
            if let number = MSISDN(text) {
                try hold(number.number == text, "a number is taken as it is")
                try hold(!"\(number)".contains(text.dropFirst(3)), "a number is shown masked")
            }
            if let package = AndroidPackage(text) {
                isAccepted = true
                try hold(
                    !package.name.contains(";") && !package.name.contains("#"),
                    "no package says more than its name"
                )
            }
            var address: SessionAddress?
            do throws(SessionAddressError) {
                address = try SessionAddress(text, allowsInsecureLoopback: true)
            } catch {
                try Canary.isAbsent(from: "\(error)")
            }
            if let address {
                isAccepted = true
                try FuzzTarget.check(address, of: text)
            }
            try checkResolution(of: text)
            if let key = MasterKey(text: text) {
                try hold(key.identity.count == MasterKeyIdentity.size, "a key has an identity")
            }
            return isAccepted
        }
    )

    private static func check(_ address: SessionAddress, of text: String) throws(Broken) {
        try hold(address.text == text, "an address is taken as it is")
        try hold(text.utf8.count <= SessionAddress.maximumLength, "the bound is kept")
        try hold(!"\(address)".contains(address.host), "an address is not shown")
        if let upgraded = APIAddress.upgraded(text, allowsInsecureLoopback: false) {
            try hold(upgraded.lowercased().hasPrefix("https://"), "links are called safely")
            try hold(
                AddressParts(upgraded)?.host == address.host,
                "a link leads to the host it named"
            )
        }
    }

    private static func checkResolution(of link: String) throws(Broken) {
        let base = "https://shop.example/api/orders?x=1"
        guard let resolved = LinkResolution.resolve(link, against: base) else { return }
        guard let parts = AddressParts(resolved) else {
            throw Broken(description: "a link becomes an address")
        }
        try hold(parts.fragment == nil, "no request carries a fragment")
        let segments = parts.path.split(separator: "/", omittingEmptySubsequences: false)
        if !link.contains("?"), !link.isEmpty {
            try hold(!segments.contains(".."), "no dots are left in a path")
        }
        try hold(
            LinkResolution.resolve(resolved, against: base) == resolved,
            "an absolute address is its own meaning"
        )
    }
}

/// Matches host names label by label.
enum Labels {
    static func match(_ pattern: String, _ host: String) -> Bool {
        guard host.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
        var wanted = labels(pattern)
        let found = labels(host)
        if wanted.first == "**" {
            wanted.removeFirst()
            if found == wanted { return true }
            return found.count > wanted.count && Array(found.suffix(wanted.count)) == wanted
                && !found.dropLast(wanted.count).joined(separator: ".").isEmpty
        }
        if wanted.first == "*" {
            wanted.removeFirst()
            if found == wanted { return true }
            return found.count == wanted.count + 1 && Array(found.dropFirst()) == wanted
                && found[0] != ""
        }
        return found == wanted
    }

    private static func labels(_ host: String) -> [String] {
        host.lowercased().split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }
}

/// The pages to which a payer returns.
enum ReturnPages {
    static func check(query: String) throws(Broken) {
        guard let root = try? BackendRoot("https://shop.example/pay"),
            let scheme = CallbackScheme("shopapp"),
            let package = AndroidPackage("com.example.shop"),
            let trampoline = try? Trampoline()
        else { throw Broken(description: "the backend is one") }
        for page in ReturnPage.allCases {
            let request: ReturnRequest
            do {
                request = try ReturnRequest(root: root, page: page, query: query)
            } catch {
                try Canary.isAbsent(from: "\(error)")
                continue
            }
            try Canary.isAbsent(from: "\(request)")
            if let intent = try? request.intentURL(allowing: [package]) {
                try hold(intent.hasPrefix("intent://shop.example/"), "an intent is our page's")
                try hold(intent.contains("#"), "an intent says which app")
                try hold(
                    intent.split(separator: "#", omittingEmptySubsequences: false).count == 2,
                    "an intent has one fragment, which is ours"
                )
                try hold(
                    intent.hasSuffix(";package=com.example.shop;end;"),
                    "an intent opens an app that is allowed"
                )
            }
            if let link = try? request.universalLink(allowing: [scheme], trampoline: trampoline) {
                try hold(
                    link.address.hasPrefix("shopapp://shop.example/")
                        || link.address.hasPrefix(Trampoline.example + "?"),
                    "a link leads to the app, or to the page with the button"
                )
                try hold(AddressParts(link.address) != nil, "a link is an address")
            }
        }
    }
}
