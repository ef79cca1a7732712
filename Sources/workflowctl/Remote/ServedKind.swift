internal import Adapters
internal import EventLog
internal import SwedbankPay

/// A store that only its service opens; a command sees what the service's API shows of it.
struct ServedKind: StoreKind {
    static let name = "service"
    static let title = "service"
    static let form = "--server URL"
    static let schema = 0
    static let libraryVersion = ""

    /// The URL of the service.
    let secretText: String

    static func isMeant(by text: String) -> Bool { false }
    static func fault(in text: String) -> String? { nil }

    init(_ text: String) { secretText = text }

    var path: String { secretText }
    var place: String { secretText }
    var isFile: Bool { false }
    var exists: Bool { true }

    func hasTables(
        on loop: UVLoop,
        within patience: Duration?
    ) async throws(EventStoreError) -> Bool { true }

    func open(
        _ opening: StoreOpening,
        on loop: UVLoop
    ) async throws(EventStoreError) -> any PersistentStore { throw RemoteStore.unsupported }

    func schemaState(
        of store: any PersistentStore
    ) async throws(EventStoreError) -> StoreSchemaState { throw RemoteStore.unsupported }

    func movedTo(from store: any PersistentStore) async throws(EventStoreError) -> String? { nil }
}

extension StoreLocation {
    /// The place of a service's store, for commands that read it through the service.
    init(served address: ServiceAddress) { kind = ServedKind(address.url) }

    /// Refuses a command that works on the store itself when a service was chosen.
    static func refuseService(
        _ options: GlobalOptions,
        environment: [String: String]
    ) throws(Failure) {
        guard try ServiceAddress.read(options, environment: environment) != nil else { return }
        throw .onlyForStores
    }
}

extension Failure {
    /// The failure of a command that works on the store itself when a service was chosen.
    static let onlyForStores = Failure.usage(
        "server",
        "this command works on a store, and a service does not offer it",
        hint: "run it where the store is, with --store URL"
    )

    /// The same failure, with what to do when the store is a service's.
    var ofService: Failure {
        guard !message.hasSuffix(RemoteStore.notOffered) else { return .onlyForStores }
        var failure = self
        // What the service said stands behind the store's words.
        let said = message.pieces(between: ":").dropFirst().joined(separator: ":")
        switch code {
        case "store.denied":
            failure.code = "request.unauthenticated"
            failure.hint = ServiceAddress.tokenHint
        case "store.missing-right":
            failure.code = "request.forbidden"
            failure.hint = "use a token with another role"
        case "store.unavailable":
            failure.code = "service.unavailable"
            failure.hint = "check --server, and that 'workflowctl serve' runs there"
        default: return self
        }
        failure.message = said.isEmpty ? message : String(said.drop { $0 == " " })
        return failure
    }
}
