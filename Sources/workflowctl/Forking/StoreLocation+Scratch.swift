internal import Adapters
internal import EventLog
internal import SwedbankPay

extension StoreLocation {
    /// Opens a scratch store, and makes it when there is none.
    ///
    /// - Throws: A failure when the file is a store of real payments.
    func openScratch(on loop: UVLoop) async throws(Failure) -> SQLiteEventStore {
        do {
            var options = SQLiteOptions(access: .createIfMissing)
            options.isScratch = true
            let store = try await SQLiteEventStore(path: path, loop: loop, options: options)
            do {
                guard try await store.isScratch() else {
                    throw Failure(
                        .refused,
                        "fork.not-scratch",
                        "the store \(path) is an ordinary one: a fork does not go into it",
                        hint: "name another file with --into sqlite:PATH"
                    )
                }
                return store
            } catch {
                await store.close()
                throw error
            }
        } catch let failure as Failure {
            throw failure
        } catch let error as EventStoreError {
            throw Failure(error)
        } catch {
            throw Failure(.defect, "store.unavailable", "\(error)")
        }
    }
}
