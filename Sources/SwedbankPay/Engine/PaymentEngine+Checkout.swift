public import EventLog
public import Workflow

/// A request to open a checkout, in the clear; it is sealed before any rule sees it.
public struct CheckoutRequest: Sendable {
    /// The gateway that creates the order.
    public var gateway: OrderGateway
    /// The root of the backend, or the base URL of the PSP's API.
    public var root: String
    /// The order as JSON text: the object inside `paymentorder`.
    public var document: String
    /// The terms of the order that the rules need.
    public var terms: OrderTerms
    /// Which generation of names and shapes is used.
    public var generation = CheckoutGeneration.v3
    /// The merchant's unique reference of the order; when it is `nil` and the PSP creates the
    /// order, the engine generates one.
    public var payeeReference: String?
    /// The terms of the check-in; `nil` when there is none.
    public var consumer: ConsumerTerms?
    /// Whether the client should show the PSP's page as soon as the order exists.
    public var presents = true
    /// How the client shows pages.
    public var options = CheckoutOptions()
    /// The merchant's own reference.
    public var reference: String?
    /// The host application's own notes, which must not contain secrets.
    public var metadata: [String: String] = [:]
    /// A custom scheme that a return address may have instead of the payment URL's.
    public var callbackScheme: String?

    /// Creates a request for a checkout of that order, with defaults for everything else.
    public init(gateway: OrderGateway, root: String, document: String, terms: OrderTerms) {
        self.gateway = gateway
        self.root = root
        self.document = document
        self.terms = terms
    }
}

/// A request for a capture, cancellation or reversal.
public struct NewTransaction: Sendable {
    /// The kind of transaction.
    public var kind: TransactionKind
    /// The amount in minor units; `nil` for a cancellation.
    public var amount: Amount?
    /// The tax included in the amount, in minor units.
    public var vatAmount: Amount?
    /// The currency of these amounts; another one than the order's is refused, and `nil` is the
    /// order's.
    public var currency: String?
    /// The description that the payer may read.
    public var description: String
    /// The merchant's unique reference; requests with the same reference are the same transaction.
    ///
    /// When it is `nil`, the engine generates one.
    public var payeeReference: String?
    /// A receipt number, for invoices.
    public var receiptReference: String?
    /// The items that it covers, as JSON text of an array; their amounts and taxes add up to those
    /// of the transaction.
    public var orderItems: String?
    /// Whether it is requested although the PSP refused the ones before it
    /// (``Rejection/refusedInARow(_:_:)``): the person who requests it has found out why.
    package var again = false

    /// Creates a request for such a transaction.
    public init(
        kind: TransactionKind,
        amount: Amount? = nil,
        vatAmount: Amount? = nil,
        description: String
    ) {
        self.kind = kind
        self.amount = amount
        self.vatAmount = vatAmount
        self.description = description
    }
}

extension PaymentEngine {
    /// Opens a checkout: the order is created, and the client is asked to show the PSP's page.
    ///
    /// - Parameters:
    ///   - request: The order and how to create it.
    ///   - allowsInsecureLoopback: Whether `http` to this machine is accepted, for sandboxes.
    ///   - key: The key of the request for it, if it has one.
    /// - Returns: The session, once its first event is durable; the rest continues in the
    ///   background.
    /// - Throws: ``EngineError``; nothing was recorded then, unless the store's error says
    ///   otherwise.
    public func openCheckout(
        _ request: CheckoutRequest,
        allowsInsecureLoopback: Bool = false,
        key: RequestKey? = nil
    ) async throws(EngineError) -> SessionID {
        let root: SessionAddress
        do {
            let address = request.root.hasSuffix("/") ? request.root : request.root + "/"
            root = try SessionAddress(address, allowsInsecureLoopback: allowsInsecureLoopback)
        } catch {
            throw .badAddress(reason: error.description)
        }
        let payeeReference =
            request.gateway == .psp
            ? request.payeeReference ?? makeReference() : request.payeeReference
        let opening = try await open(
            address: nil,
            cause: "command.checkout".caused(by: key)
        ) {
            [client = rules.client] secrets, keys in
            var terms = request.terms
            terms.urls = terms.urls.clear(in: secrets).recorded(with: keys, in: &secrets)
            // What would be sealed cannot be compared with the PSP's answers.
            var unused = secrets
            terms.orderReference = terms.orderReference.flatMap { text in
                let recorded = OutsideText(recordingReference: text, with: keys, in: &unused)
                return recorded == .plain(text) ? text : nil
            }
            return .command(
                .checkout(
                    .open(
                        CheckoutOpened(
                            gateway: request.gateway,
                            root: secrets.seal(root.text, with: keys),
                            host: root.host,
                            document: secrets.seal(request.document, with: keys),
                            terms: terms,
                            generation: request.generation,
                            payeeReference: payeeReference,
                            consumer: request.consumer,
                            presents: request.presents,
                            options: request.options,
                            reference: request.reference.map {
                                OutsideText(recordingReference: $0, with: keys, in: &secrets)
                            },
                            metadata: OutsideText.recorded(
                                request.metadata,
                                with: keys,
                                in: &secrets
                            ),
                            userAgent: client.userAgent,
                            callbackScheme: request.callbackScheme
                        )
                    )
                )
            )
        }
        return opening.session
    }

    /// Locks the order of a checkout to another method.
    ///
    /// - Throws: ``EngineError/rejected(_:)`` when the order is not locked to a method or can't be
    ///   locked to this one.
    @discardableResult
    public func chooseInstrument(
        _ session: SessionID,
        _ instrument: PaymentMethodName,
        key: RequestKey? = nil
    ) async throws(EngineError) -> SessionState {
        try await drive(session, cause: "command.instrument".caused(by: key)) { _, _, _ in
            .command(.checkout(.instrument(instrument)))
        }
    }

    /// Reads the order of a checkout, and waits until it was read or could not be.
    ///
    /// - Returns: The session's state then.
    @discardableResult
    package func readOrder(
        of session: SessionID,
        by who: String = "host"
    ) async throws(EngineError) -> SessionState {
        let changes = try await updates(of: session)
        var state = try await refetch(session, by: who)
        guard state.checkout?.isReadPending == true else { return state }
        for await update in changes {
            state = update.state
            if update.isSettled || state.checkout?.isReadPending == false { break }
        }
        return state
    }

    /// Captures, cancels or reverses.
    ///
    /// The request is sent once, and after a lost response only when reading the order shows that
    /// it did not take effect.
    ///
    /// It is decided on what is known of the order; ``readOrder(of:by:)`` reads the order first.
    ///
    /// A request with a key and without a reference gets a reference that follows from the key: the
    /// same request at two nodes at once is one transaction.
    ///
    /// - Throws: ``EngineError/rejected(_:)`` when the PSP would refuse it, when the order is not
    ///   paid, or when another transaction is in progress.
    @discardableResult
    public func transact(
        _ session: SessionID,
        _ transaction: NewTransaction,
        key: RequestKey? = nil
    ) async throws(EngineError) -> SessionState {
        let reference =
            transaction.payeeReference
            ?? OwnReference.make(for: session, from: key?.bits ?? random.next())
        // A description that is sealed can't be checked by the rules.
        let description = FieldProblem.ofDescription(transaction.description)
        guard description.isEmpty else { throw .rejected(.malformedTransaction(description)) }
        let cause = "command.\(transaction.kind.rawValue)".caused(by: key)
        return try await drive(session, cause: cause) { secrets, keys, _ in
            .command(
                .checkout(
                    .transact(
                        TransactionRequest(
                            kind: transaction.kind,
                            payeeReference: reference,
                            amount: transaction.amount,
                            vatAmount: transaction.vatAmount,
                            description: OutsideText(
                                recording: transaction.description,
                                with: keys,
                                in: &secrets
                            ),
                            receiptReference: transaction.receiptReference,
                            orderItems: transaction.orderItems.map { secrets.seal($0, with: keys) },
                            again: transaction.again
                        ),
                        currency: transaction.currency
                    )
                )
            )
        }
    }

    /// Accepts a PSP callback to the merchant's callback URL and reads the order to learn what
    /// happened.
    ///
    /// The body proves nothing. It must name this session's order, as far as the order is known;
    /// any other callback is rejected.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - body: The body of the callback.
    ///   - who: Who submits the callback, if not the PSP itself; recorded.
    ///   - key: The key of the request for it, if it has one.
    /// - Returns: The session's state after the callback.
    /// - Throws: ``EngineError/rejected(_:)`` with ``Rejection/foreignCallback`` for a body that is
    ///   not a callback or concerns another order.
    /// - Note: Source: server callbacks, payloads and handling rules.
    @discardableResult
    public func callback(
        _ session: SessionID,
        body: [UInt8],
        by who: String? = nil,
        key: RequestKey? = nil
    ) async throws(EngineError) -> SessionState {
        let received = CallbackReceived(digest: HashChain.hash(body), by: who)
        let notice = CallbackNotice(body)
        let state = try await self.state(of: session)
        guard let notice, notice.isAbout(state) else { throw .rejected(.foreignCallback) }
        return try await drive(session, cause: "callback".caused(by: key)) { _, _, _ in
            .command(.callback(received))
        }
    }

    /// Hands the order over from the PSP's page to a native session; the logs refer to each other.
    ///
    /// - Returns: The native session; repeated calls return the same one.
    public func handOver(
        _ checkout: SessionID,
        preferences: [PreferenceRequest] = [],
        allowsInsecureLoopback: Bool = false,
        key: RequestKey? = nil
    ) async throws(EngineError) -> SessionID {
        let state = try await self.state(of: checkout)
        let secrets = try await self.secrets(of: checkout)
        if let outcome = state.outcome { throw .rejected(.sessionEnded(outcome)) }
        guard let known = state.checkout else { throw .rejected(.notACheckout) }
        guard let link = known.order?.operation([.viewPaymentSession])?.href,
            let address = secrets[link]
        else { throw .rejected(.stillOpening) }
        // What is refused opens no native session.
        let session = known.nativeSession ?? checkout
        do throws(Rejection) {
            let command = SessionInput.command(.checkout(.handOver(session)))
            _ = try rules.decide(command, in: state, at: state.lastAt)
        } catch { throw .rejected(error) }
        let opening = try await openOrRefetch(
            address,
            reference: state.recordedReference.flatMap { secrets.clear($0) },
            metadata: state.metadata.compactMapValues { secrets.clear($0) },
            preferences: preferences,
            callbackScheme: state.callbackScheme,
            allowsInsecureLoopback: allowsInsecureLoopback,
            checkout: checkout,
            purpose: known.isVerification ? .verify : nil
        )
        // A session that was already known may have ended.
        if let outcome = try await self.state(of: opening.session).outcome {
            throw .rejected(.sessionEnded(outcome))
        }
        _ = try await drive(checkout, cause: "command.handOver".caused(by: key)) { _, _, _ in
            .command(.checkout(.handOver(opening.session)))
        }
        return opening.session
    }

    /// Hands the order back to the PSP's page; the native session and its log stay as they are.
    @discardableResult
    public func handBack(
        _ checkout: SessionID,
        key: RequestKey? = nil
    ) async throws(EngineError) -> SessionState {
        guard try await state(of: checkout).checkout != nil else { throw .rejected(.notACheckout) }
        return try await drive(checkout, cause: "command.handBack".caused(by: key)) {
            _,
            _,
            state in
            guard let session = state.checkout?.nativeSession else { return .resumed }
            return .command(
                .checkout(.handBack(HandedBack(session: session, outcome: nil)))
            )
        }
    }

    /// Generates an unused reference of letters and digits in the form that the PSP requires.
    ///
    /// - Note: Source: payment order API, payeeReference: letters and digits, at most 30.
    private func makeReference() -> String {
        OwnReference.letters(of: random.next()) + OwnReference.letters(of: random.next())
    }
}
