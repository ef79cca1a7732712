internal import Adapters
internal import EventLog
internal import SwedbankPay

extension PaymentBackend {
    /// The two links that clients start from.
    ///
    /// - Note: Source: merchant backend, root discovery and links.
    func root() -> BackendResponse {
        let seconds = configuration.rootLifetimeSeconds
        return .json(
            [
                "consumers": .string(configuration.publicURL + "consumers"),
                "paymentorders": .string(configuration.publicURL + "paymentorders"),
            ],
            caching: seconds > 0 ? "private, max-age=\(seconds)" : "no-store"
        )
    }

    /// Starts a check-in: the PSP identifies the payer on its own page.
    ///
    /// - Note: Source: merchant backend, consumers.
    func startCheckIn(_ request: BackendRequest) async throws(BackendProblem) -> BackendResponse {
        var reader = MemberReader(try request.object(maximumDepth: configuration.maximumDepth))
        let operation = reader.text("operation")
        if !operation.isEmpty, operation != Self.initiateSession {
            reader.refuse("operation", "must be \(Self.initiateSession)")
        }
        var consumer: [String: ForeignJSON] = ["operation": .string(Self.initiateSession)]
        if reader.members["language"] != nil {
            consumer["language"] = .string(reader.text("language", maximum: 16))
        }
        let countries = reader.texts("shippingAddressRestrictedToCountryCodes", maximum: 250)
        if !countries.allSatisfy(Self.isCountry) {
            reader.refuse(
                "shippingAddressRestrictedToCountryCodes",
                "must contain two-letter country codes"
            )
        }
        try reader.finish()
        consumer["shippingAddressRestrictedToCountryCodes"] = .array(
            countries.map { .string($0) }
        )
        let response = try await psp.perform(
            psp.api.startCheckIn(.object(consumer)),
            version: .v2_0
        )
        let operations = (response?["operations"]?.array ?? []).filter { operation in
            operation.object?["rel"]?.string.map(Self.checkInRels.contains) ?? false
        }
        guard !operations.isEmpty else { throw .badGateway(status: 200) }
        return .json(["operations": .array(operations)])
    }

    private static let initiateSession = "initiate-consumer-session"
    private static let checkInRels: Set<String> = [
        "view-consumer-identification", "redirect-consumer-identification",
    ]

    private static func isCountry(_ text: String) -> Bool {
        text.utf8.count == 2 && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
    }
}
