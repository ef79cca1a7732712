internal import EventLog

extension EventLogging {
    /// The message about a request that ended and whose response is not folded yet.
    func request(_ rel: Rel, status: Int?, duration: Int64? = nil) -> Beacon {
        let (href, method) = target(of: rel)
        return Beacon(
            .httpRequest,
            durationMilliseconds: duration,
            request: Beacon.Request(
                url: url(of: rel.rawValue, href),
                method: method ?? (rel.onlyReads ? "GET" : "POST"),
                status: status
            )
        )
    }

    /// The message about a failed request.
    ///
    /// - Note: Source: event logging, values of a failed request.
    func failure(_ failed: OperationFailed) -> Beacon {
        var beacon = request(
            failed.rel,
            status: failed.status,
            duration: failed.durationMilliseconds
        )
        beacon.add([
            "errorCode": failed.code,
            "errorDescription": Self.text(failed.document?.title),
            "problemType": failed.document?.type,
        ])
        return beacon
    }

    /// The target of a request with that name according to the newest view.
    private func target(of rel: Rel) -> (href: Sealed?, method: String?) {
        if rel == .session { return (state.payment?.opening?.sessionURL, "GET") }
        guard let snapshot = state.payment?.snapshot else { return (nil, nil) }
        let chosen = state.payment?.attempt?.choice.method
        let methods =
            snapshot.methods.filter { $0.name == chosen }
            + snapshot.methods.filter { $0.name != chosen }
        let operations =
            methods.flatMap(\.operations) + snapshot.operations
            + [snapshot.problem?.acknowledge].compactMap(\.self)
        let operation = operations.first { $0.rel == rel && $0.href != nil }
        return (operation?.href, operation?.method)
    }

    /// A replacement for a URL with which its holder could act on the payment; it leads nowhere.
    ///
    /// - Note: Source: event logging, redaction of addresses.
    func url(of name: String, _ href: Sealed?) -> String {
        "https://\(state.payment?.opening?.host ?? "")/\(name)"
            + (href.map { "/" + Self.mark($0) } ?? "")
    }

    /// A few digits of a fingerprint: enough to see that two values are equal.
    static func mark(_ sealed: Sealed) -> String {
        String(sealed.fingerprint.hexadecimal.prefix(12))
    }

    /// The maximum length of text that is passed on, in characters.
    static let maximumText = 200

    /// Text from outside, truncated to a limit; `nil` when it may quote a secret.
    ///
    /// - Note: Source: event logging, redaction of error texts.
    static func text(_ text: OutsideText?) -> String? {
        guard case .plain(let plain) = text else { return nil }
        return String(plain.prefix(maximumText))
    }

    /// Host and path of a merchant's address, without what may identify the payer.
    ///
    /// - Note: Source: event logging, redaction of the payment URL.
    static func place(of address: OutsideText?) -> String? {
        guard case .plain(let text) = address, let parts = AddressParts(text) else { return nil }
        return (parts.host ?? "") + parts.path
    }
}
