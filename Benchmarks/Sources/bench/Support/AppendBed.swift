internal import Adapters
internal import EventLog
internal import SwedbankPay

/// Two stores with the same sessions, one for ours and one for the bare loop, and records to append
/// to both.
final class AppendBed {
    /// Our store.
    let store: SQLiteEventStore
    /// The baseline's database.
    let bare: BareDatabase
    /// The loop of our appends.
    let loop: UVLoop
    /// Our appends by session, in order.
    let appends: [[StreamAppend]]
    /// The same appends for the baseline.
    let bareAppends: [[BareAppend]]

    /// Prepares a number of sessions, each with a number of records to append.
    init(in directory: String, sessions: Int, records: Int, sample: SessionSample) async throws {
        loop = try UVLoop(name: "bench")
        var appends: [[StreamAppend]] = []
        var bareAppends: [[BareAppend]] = []
        for number in 1...sessions {
            let made = try sample.appends(records + 1, of: sample.ordinary, for: .fresh())
            appends.append(made)
            bareAppends.append(made.map { BareAppend($0.records[0], key: Int64(number)) })
        }
        store = try await Self.seeded(directory + "/ours.db", appends, loop)
        let other = try await Self.seeded(directory + "/bare.db", appends, nil)
        await other.close()
        bare = try BareDatabase(path: directory + "/bare.db")
        self.appends = appends.map { Array($0.dropFirst()) }
        self.bareAppends = bareAppends.map { Array($0.dropFirst()) }
    }

    /// Creates a store in which each session has its first record, so that the integer keys are 1,
    /// 2, 3 ….
    private static func seeded(
        _ path: String,
        _ appends: [[StreamAppend]],
        _ loop: UVLoop?
    ) async throws -> SQLiteEventStore {
        let store = try await SQLiteEventStore(path: path, loop: loop)
        for session in appends { try await store.append(session[0]) }
        return store
    }

    func close() async {
        await store.close()
        loop.shutdown()
    }
}
