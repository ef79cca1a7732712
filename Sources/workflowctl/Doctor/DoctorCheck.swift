internal import ArgumentParser
internal import Inspection

/// What `doctor` looks at, one word each.
enum DoctorCheck: String, CaseIterable, Sendable, ExpressibleByArgument {
    case build, configuration, connections, store, schema, permissions, disk, keys, sessions
    case payers, time, projections, imported, psp, clock

    /// The checks of an opened store.
    static let ofStore: [DoctorCheck] = [
        .schema, .permissions, .disk, .keys, .sessions, .payers, .time,
        .projections, .imported,
    ]
    /// The checks that ask a PSP.
    static let ofProvider: [DoctorCheck] = [.psp, .clock]

    /// When it is bad, for people.
    var words: String {
        switch self {
        case .build: "nothing; it says which build this is"
        case .configuration: "the configuration cannot be used"
        case .connections: "a password would go to the store in the clear"
        case .store: "the store cannot be read, or was moved or not adopted"
        case .schema: "its tables were altered, or are of a newer build"
        case .permissions: "others may write the store, use its keys, or read secrets"
        case .disk: "less than 64 MiB are free"
        case .keys: "the master key of some session is not at hand"
        case .sessions: "something has been due for more than a minute, and no engine does it"
        case .payers: "nothing; it warns of waiting payers for whom no engine looks"
        case .time: "the newest event is after this machine's clock"
        case .projections: "the index or a sum differs from the logs of the sessions looked at"
        case .imported: "nothing; it says how many sessions came from elsewhere"
        case .psp: "the PSP of --psp cannot be reached, or is not trusted"
        case .clock: "the PSP's clock and this machine's differ by a minute"
        }
    }
}
