internal import Adapters
internal import EventLog
internal import SwedbankPay

/// Opens the seals of a file, and compares its MACs, with the keys of a store that has its
/// sessions.
struct FileSeals {
    private let store: any PersistentStore
    private let vault: any KeyVault
    private var last: (session: SessionID, keys: Keys)?

    private enum Keys {
        case known(SessionKeys)
        case none
        case wrong
    }

    /// Uses the keys of a store.
    init(_ reader: Reader, _ vault: any KeyVault) {
        store = reader.store
        self.vault = vault
    }

    /// Opens the seals and verifies the MAC of a record.
    mutating func open(
        _ record: StoredRecord,
        into verification: inout FileVerification
    ) async throws(Failure) {
        let count = Int64(record.seals.count)
        switch try await keys(of: record.stream) {
        case .none: verification.count(withoutKeys: count)
        case .wrong: verification.count(withOtherKeys: count)
        case .known(let keys):
            guard keys.isAuthentic(record) else {
                return verification.addFault(.notAuthentic, of: record)
            }
            if record.mac != nil { verification.count(authentic: 1) }
            guard count > 0 else { return }
            let failed = RecordReader.unseal(record, with: keys).failed
            verification.count(opened: count - Int64(failed.count))
            if !failed.isEmpty { verification.addFault(.wrongSeal, of: record) }
        }
    }

    private mutating func keys(of session: SessionID) async throws(Failure) -> Keys {
        if let last, last.session == session { return last.keys }
        let keys: Keys
        do {
            if let wrapped = try await store.wrappedKey(of: session) {
                keys = .known(try await vault.keys(unwrapping: wrapped, for: session))
            } else {
                keys = .none
            }
        } catch KeyVaultError.wrongKey {
            keys = .wrong
        } catch let error as KeyVaultError {
            throw Failure(error)
        } catch let error as EventStoreError {
            throw Failure(error)
        } catch {
            throw Failure(.defect, "vault.unavailable", "\(error)")
        }
        last = (session, keys)
        return keys
    }
}
