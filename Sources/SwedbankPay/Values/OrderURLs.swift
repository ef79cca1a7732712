public import EventLog

/// The URLs of an order in rules and logs: in the clear when they contain nothing that may be
/// secret.
public typealias OrderURLs = OrderAddresses<OutsideText>

/// The addresses of an order, to be compared with links and passed to clients.
public typealias PlaintextOrderURLs = OrderAddresses<String>

/// The URLs to which the merchant redirects the payer.
public struct OrderAddresses<Address: Sendable>: Sendable {
    /// The URL to which the payer is redirected when the payment is complete.
    public var complete: Address?
    /// The URL to which the payer is redirected after canceling.
    public var cancel: Address?
    /// The URL to which other apps and pages return the payer.
    public var payment: Address?
    /// The pages that may show the PSP's menu; the first is the menu page's base.
    public var hosts: [Address]
    /// The merchant's terms.
    public var termsOfService: Address?

    /// Creates a set of addresses.
    public init(
        complete: Address? = nil,
        cancel: Address? = nil,
        payment: Address? = nil,
        hosts: [Address] = [],
        termsOfService: Address? = nil
    ) {
        self.complete = complete
        self.cancel = cancel
        self.payment = payment
        self.hosts = hosts
        self.termsOfService = termsOfService
    }

    /// These addresses, with missing ones taken from an earlier response.
    package func completed(by earlier: Self?) -> Self {
        guard let earlier else { return self }
        return Self(
            complete: complete ?? earlier.complete,
            cancel: cancel ?? earlier.cancel,
            payment: payment ?? earlier.payment,
            hosts: hosts.isEmpty ? earlier.hosts : hosts,
            termsOfService: termsOfService ?? earlier.termsOfService
        )
    }
}

extension OrderAddresses: Equatable where Address: Equatable {}

extension OrderAddresses: Hashable where Address: Hashable {}

extension OrderURLs {
    /// The plaintexts, as far as they are available.
    package func clear(in secrets: SecretTable) -> PlaintextOrderURLs {
        PlaintextOrderURLs(
            complete: complete.flatMap { secrets.clear($0) },
            cancel: cancel.flatMap { secrets.clear($0) },
            payment: payment.flatMap { secrets.clear($0) },
            hosts: hosts.compactMap { secrets.clear($0) },
            termsOfService: termsOfService.flatMap { secrets.clear($0) }
        )
    }

    /// Whether completion and cancellation lead to the same address and so can't be distinguished.
    var cannotTellEnds: Bool {
        guard let complete, let cancel else { return false }
        return complete.isSameAddress(as: cancel)
    }
}

extension PlaintextOrderURLs {
    /// The addresses as they are recorded: sealed where something in them may be secret.
    ///
    /// Sealed addresses can be compared only by their fingerprints. Of two spellings of which one
    /// is sealed, the one that is already known is therefore recorded.
    ///
    /// - Parameters:
    ///   - known: What is already recorded of the order.
    ///   - plaintexts: The plaintexts of `known`.
    ///   - keys: The session's keys.
    ///   - secrets: The table that receives the plaintexts of sealed addresses.
    /// - Returns: The addresses to record.
    package func recorded(
        knowing known: OrderURLs = OrderURLs(),
        of plaintexts: SecretTable = SecretTable(),
        with keys: SessionKeys,
        in secrets: inout SecretTable
    ) -> OrderURLs {
        let before = known.clear(in: plaintexts)
        typealias Known = (text: String?, recorded: OutsideText?)
        func record(
            _ text: String?,
            _ others: [Known],
            where isSame: (String, String) -> Bool = PaymentURL.isSame
        ) -> OutsideText? {
            guard let text else { return nil }
            for case (let other?, let recorded?) in others where text == other { return recorded }
            let own = OutsideText(recording: text, with: keys, in: &secrets)
            for case (let other?, let recorded?) in others
            where (own.isSealed || recorded.isSealed) && isSame(text, other) {
                return recorded
            }
            return own
        }
        var urls = OrderURLs()
        // This address identifies a response as belonging to the order; further query items make no
        // difference.
        urls.complete = record(complete, [(before.complete, known.complete)]) {
            PaymentURL.isEquivalent($0, $1) || PaymentURL.isEquivalent($1, $0)
        }
        urls.cancel = record(
            cancel,
            [(before.cancel, known.cancel), (complete, urls.complete)]
        )
        urls.payment = record(payment, [(before.payment, known.payment)])
        let hostsBefore: [Known] = known.hosts.map { (plaintexts.clear($0), $0) }
        urls.hosts = hosts.compactMap { record($0, hostsBefore) }
        urls.termsOfService = record(
            termsOfService,
            [(before.termsOfService, known.termsOfService)]
        )
        return urls
    }
}

extension OutsideText {
    /// Whether two addresses of the merchant are the same; sealed ones are compared by their
    /// fingerprints.
    func isSameAddress(as other: OutsideText) -> Bool {
        guard case .plain(let one) = self, case .plain(let another) = other else {
            return self == other
        }
        return PaymentURL.isSame(one, another)
    }

    /// Whether one of two addresses leads to the other; sealed ones are compared by their
    /// fingerprints.
    func leadsToOrFrom(_ other: OutsideText) -> Bool {
        guard case .plain(let one) = self, case .plain(let another) = other else {
            return self == other
        }
        return PaymentURL.isEquivalent(one, another) || PaymentURL.isEquivalent(another, one)
    }
}
