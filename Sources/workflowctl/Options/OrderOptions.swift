internal import Adapters
internal import ArgumentParser
internal import Inspection
internal import SwedbankPay

/// The order for which a command opens a session, and what is stored with it.
struct OrderOptions: ParsableArguments, Sendable {
    @Argument(
        help: ArgumentHelp(
            "A file with the order as JSON, or - for standard input.",
            valueName: "file"
        )
    )
    var file: String

    @Option(help: ArgumentHelp("The merchant's reference for the order.", valueName: "text"))
    var reference: String?

    @Option(
        help: ArgumentHelp("Metadata to store with the order; may be repeated.", valueName: "k=v")
    )
    var metadata: [String] = []

    @Option(
        help: ArgumentHelp("The checkout generation: v2 or v3.", valueName: "v2|v3")
    )
    var generation = CheckoutGeneration.v3

    /// Checks the options without reading a file.
    func check() throws(Failure) {
        if let reference { try Notes.check(reference, "reference") }
        _ = try Notes.read(metadata)
    }

    /// Returns the checkout request for the order in the file.
    ///
    /// `charge` names the stored token that the order charges, and the kind of charge; `checksIn`
    /// says that the payer checks in before the order is created.
    ///
    /// - Throws: A ``Failure`` that names every invalid field.
    func request(
        _ gateway: OrderGateway,
        at root: String,
        _ global: GlobalOptions,
        _ invocation: Invocation,
        charging charge: ChargeOptions? = nil,
        checksIn: Bool = false
    ) throws(Failure) -> CheckoutRequest {
        let bytes =
            file == "-"
            ? try invocation.readInput(FileBytes.valueLimit)
            : try FileBytes.read(file, limit: FileBytes.valueLimit)
        let token = try charge?.token()
        var request: CheckoutRequest
        do throws(PaymentOrderError) {
            request = try CheckoutRequest(
                reading: bytes,
                for: charge?.operation?.purpose,
                charging: token,
                by: gateway,
                at: root,
                checksIn: checksIn,
                allowsInsecureLoopback: global.allowInsecureLoopback
            )
        } catch {
            throw Failure(
                .usage,
                error.code,
                Screen.safe(error.description),
                hint: error.hint
            )
        }
        guard gateway == .merchantBackend || generation == .v3 else {
            throw .usage(
                "gateway",
                "only merchant backends can create orders of generation v2",
                hint: "use --backend URL, or leave out --generation"
            )
        }
        request.generation = generation
        request.reference = reference ?? request.reference
        request.metadata = try Notes.read(metadata)
        return request
    }
}

extension PaymentOrderError {
    /// Returns the hint for the invalid fields.
    fileprivate var hint: String {
        let fields = problems.map { $0.path.lowercased() }
        if fields.contains(where: { $0.hasSuffix("amount") || $0.hasSuffix("price") }) {
            return "amounts are in minor units: 10000 is 100.00"
        }
        if fields.contains(where: { $0 == "recurrencetoken" || $0 == "unscheduledtoken" }) {
            return "to charge a stored token, use --operation recur or unscheduled with "
                + "--stored-token-file FILE"
        }
        if fields.contains(where: { $0.utf8.contains("url".utf8) }) {
            return "URLs must be complete: https://HOST/PATH"
        }
        return fields.isEmpty
            ? "the file must contain the order in the format of the PSP's API: {\"paymentorder\":{…}}"
            : "correct these fields; nothing was sent"
    }
}
