internal import Adapters
internal import EventLog
internal import SwedbankPay

/// A store opened for work on its keys, for the duration of one command.
struct Keeper: Sendable {
    let store: any PersistentStore
    let location: StoreLocation
    let invocation: Invocation
    let configuration: Configuration
    /// The operator and the reason.
    let person: Operator
    /// The recorder of operator actions.
    let trail: CommandTrail

    /// Opens the store of a command for writing, and closes it in any case.
    static func withStore<Value: Sendable>(
        for command: some Command,
        in invocation: Invocation,
        session: SessionID? = nil,
        access: StoreAccess = .existing,
        _ body: (Keeper) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let environment = invocation.environment
        let configuration = try Configuration.read(command.global, environment: environment)
        let person = try Operator.read(command.global, environment: environment)
        let location = try StoreLocation.read(
            command.global,
            environment: environment,
            configuration: configuration
        )
        let store = try await location.open(access, for: session, on: invocation.loop)
        let decider = SessionDecider(
            catalogue: configuration.catalogue,
            limits: configuration.session
        )
        let keeper = Keeper(
            store: store,
            location: location,
            invocation: invocation,
            configuration: configuration,
            person: person,
            trail: CommandTrail(store: store, decider: decider, now: invocation.now) {
                () throws(Failure) in try location.vault(environment: environment)
            }
        )
        let result: Result<Value, Failure>
        do throws(Failure) {
            result = .success(try await body(keeper))
        } catch {
            result = .failure(error)
        }
        await store.close()
        return try result.get()
    }
}
