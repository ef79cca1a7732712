/// The checks of an installation, by the names that `workflowctl doctor` gives them.
package enum InstallationCheck: String, CaseIterable, Sendable {
    case build, configuration, connections, store, schema, permissions, disk, keys, sessions
    case payers, time, projections, imported, webhooks, psp, clock

    /// The checks that need an open store.
    package static let ofStore: [InstallationCheck] = [
        .schema, .permissions, .disk, .keys, .sessions, .payers, .time,
        .projections, .imported,
    ]
    /// The checks that contact a PSP.
    package static let ofProvider: [InstallationCheck] = [.psp, .clock]

    /// A description of when the finding is bad.
    package var words: String {
        switch self {
        case .build: "never; it reports the build"
        case .configuration: "the configuration cannot be used"
        case .connections: "a password would be sent to the store unencrypted"
        case .store: "the store cannot be read, was moved, or is not adopted"
        case .schema: "the tables were altered or belong to a newer build"
        case .permissions: "others can write the store, read its keys or read secrets"
        case .disk: "less than 64 MiB is free"
        case .keys: "the master key of a session is missing"
        case .sessions: "work has been overdue for more than a minute"
        case .payers: "never; it warns if no engine polls for waiting payers"
        case .time: "the latest event is later than this machine's clock"
        case .projections: "the index or a sum differs from the logs of the checked sessions"
        case .imported: "never; it counts imported sessions"
        case .webhooks: "a receiver disabled its endpoint by responding with 410"
        case .psp: "the PSP cannot be reached or its certificate is not trusted"
        case .clock: "the clocks differ by a minute or more"
        }
    }
}
