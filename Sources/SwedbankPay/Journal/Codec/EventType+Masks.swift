public import EventLog

extension EventType {
    /// The members in which text of people stands outside seals, and in which secrets may be masked in records without a MAC.
    ///
    /// A member that a rule reads (types, states, relations, kinds, instruments, digests, amounts, times, identities) is not
    /// here and is never masked, so a redacted log folds to the same phases. Of the texts that are here rules read at most
    /// whether two are the same, which masking leaves as it was. Of `metadata`, which has names of the host's own, the whole
    /// is named.
    public var maskableMembers: [String: MaskStyle] {
        switch self {
        case .opened:
            [
                "host": .address, "metadata": .text, "preferences.cardBrand": .text,
                "preferences.maskedPan": .text, "preferences.merchantIdentifier": .text,
                "reference": .text, "userAgent": .text,
            ]
        case .checkoutOpened:
            [
                "host": .address, "metadata": .text, "payeeReference": .word, "reference": .text,
                "userAgent": .text,
            ].merging(Self.urls("terms.urls")) { old, _ in old }
        case .fetched:
            [
                "snapshot.methods.operations.target.host": .address,
                "snapshot.methods.prefills.cardBrand": .text,
                "snapshot.methods.prefills.masked": .text,
                "snapshot.methods.prefills.maskedPan": .text,
                "snapshot.operations.target.host": .address,
                "snapshot.particulars.description": .text,
                "snapshot.particulars.payeeName": .text,
                "snapshot.problem.acknowledge.target.host": .address,
                "snapshot.problem.detail": .text,
                "snapshot.problem.originalDetail": .text,
                "snapshot.problem.title": .text,
            ].merging(Self.urls("snapshot.urls")) { old, _ in old }
        case .orderFetched:
            [
                "order.abortReason": .text,
                "order.failure.detail": .text,
                "order.failure.title": .text,
                "order.operations.target.host": .address,
                "order.paid.orderReference": .text,
                "order.paid.payeeReference": .word,
                "order.transactions.payeeReference": .word,
            ].merging(Self.urls("order.urls")) { old, _ in old }
        case .methodsOffered:
            [
                "methods.prefills.cardBrand": .text, "methods.prefills.masked": .text,
                "methods.prefills.maskedPan": .text,
            ]
        case .attemptStarted: ["merchantIdentifier": .text]
        case .operationFailed: ["document.detail": .text, "document.title": .text]
        case .externalAppRequested: ["callbackURL": .address]
        case .externalAppLaunchFailed, .threeDSLoadFailed, .walletFailed, .checkInFailed:
            ["error": .text]
        case .menuClosed: ["error": .text].merging(Self.failure) { old, _ in old }
        case .problem: ["detail": .text, "title": .text].merging(Self.failure) { old, _ in old }
        case .retryRequested, .refetchRequested, .abortRequested, .noteAdded: ["by": .text]
        case .operatorActed: ["by": .text, "reason": .text]
        case .failed: ["host": .address]
        case .externalContentOpened, .navigated: ["destination": .address]
        case .transactionRequested:
            ["description": .text, "payeeReference": .word, "receiptReference": .text]
        case .transactionSettled: ["payeeReference": .word]
        case .operationStarted, .operationSucceeded, .externalAppLaunched, .returned,
            .threeDSMethodRequested, .threeDSMethodCompleted, .threeDSRequested, .threeDSShown,
            .threeDSCompleted, .threeDSClosed, .walletRequested, .walletAuthorized,
            .walletCanceled, .menuChosen, .menuRequested, .menuShown, .problemAcknowledged,
            .canceled, .completed, .expired, .callbackReceived, .endpointsDiscovered,
            .checkInOffered, .checkInRequested, .checkInShown, .payerCheckedIn, .checkInClosed,
            .instrumentChosen, .termsOfServiceOpened, .handedOver, .handedBack, .orderConfirmed:
            [:]
        }
    }

    /// What the PSP's page said when it gave up.
    private static let failure: [String: MaskStyle] = [
        "failure.details": .text, "failure.messageId": .text, "failure.origin": .text,
    ]

    /// The addresses of an order.
    private static func urls(_ path: String) -> [String: MaskStyle] {
        Dictionary(
            uniqueKeysWithValues: ["cancel", "complete", "hosts", "payment", "termsOfService"].map {
                ("\(path).\($0)", .address)
            }
        )
    }
}
