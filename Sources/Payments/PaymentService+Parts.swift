internal import Adapters
internal import EventLog
internal import SwedbankPay

/// The store.
extension PaymentService.Configuration {
    /// The store that the text names; one that names no kind of store is the path of a file.
    private var namedStore: any StoreKind {
        StoreKinds.kind(of: store)?.init(store) ?? StoreKinds.file(at: store)
    }

    /// The kind of the store, for people.
    var storeKind: String { type(of: namedStore).title }

    /// Why the configuration is not valid; `nil` when it is.
    var fault: String? {
        if store.isEmpty { return "the configuration names no store" }
        if let fault = StoreKinds.kind(of: store)?.fault(in: store) { return fault }
        if vault == nil, !namedStore.isFile {
            return
                "a \(storeKind) store needs a vault: all nodes have to have the same keys, for "
                + "example an EnvironmentVault"
        }
        return merchantFault
    }

    private var merchantFault: String? {
        guard let merchant else { return nil }
        guard let root = merchant.root ?? environment.apiRoot else {
            return """
                the .sandbox environment has no default API address; pass one: \
                .psp(at: "http://127.0.0.1:…/")
                """
        }
        guard let host = AddressParts(root)?.host else {
            return "the merchant's address is not an absolute URL"
        }
        // A merchant backend may have any host; the PSP's API belongs to the environment.
        return environment.refusal(
            of: host,
            allowed: merchant.gateway == .psp ? environment.hosts + addedHosts : [host]
        )
    }

    /// The source of orders with its address.
    var orders: (merchant: PaymentService.Merchant, root: String) {
        get throws(PaymentError) {
            guard let merchant, let root = merchant.root ?? environment.apiRoot else {
                throw .misconfigured(
                    reason: "no merchant is configured; set Configuration.merchant"
                )
            }
            return (merchant, root)
        }
    }

    /// Opens the store, and creates a missing one.
    func openStore(on loop: UVLoop) async throws(PaymentError) -> any PersistentStore {
        let store = try await PaymentError.translatingStore {
            () async throws(EventStoreError) -> any PersistentStore in
            let opening = StoreOpening(node: node, options: storeOptions)
            return try await namedStore.open(opening, on: loop)
        }
        // A fork exists for trials, and must not move real money.
        if environment != .sandbox, (try? await store.isScratch()) != false {
            await store.close()
            throw .misconfigured(
                reason: "this is a scratch store; it can be used only in the .sandbox environment"
            )
        }
        return store
    }

    /// Returns the keys of the store's sessions.
    ///
    /// - Throws: ``PaymentError`` with the code `vault.wrong-key` when other keys protect the
    ///   newest session: processes with those keys could not find sessions opened with these.
    func openVault(of store: any PersistentStore) async throws(PaymentError) -> any KeyVault {
        let newest = try await PaymentError.translatingStore { () throws(EventStoreError) in
            try await store.newestWrappedKey()
        }
        do throws(KeyVaultError) {
            // If the key file of a store with sealed values is missing, a new key could not open
            // them.
            let vault: any KeyVault
            if let own = self.vault {
                vault = own
            } else {
                vault = try KeyFileVault(
                    path: namedStore.path + ".key",
                    createsMissing: newest == nil
                )
            }
            if let holder = vault as? any MasterKeyHolder, let newest, holder.lacksKey(of: newest) {
                throw .wrongKey
            }
            return vault
        } catch {
            throw .failed(error, code: error.code)
        }
    }
}
