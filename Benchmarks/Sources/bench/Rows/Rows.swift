internal import Measuring

/// All rows of the table, in order.
enum Rows {
    /// A row: its name and how it is measured.
    struct Entry: Sendable {
        var name: String
        /// Measures the row, with files in a directory of its own.
        var measure: @Sendable (Options, String) async throws -> Row
    }

    static let all: [Entry] = [
        Entry(name: AppendRow.name, measure: AppendRow.measure),
        Entry(name: GroupCommitRow.name, measure: GroupCommitRow.measure),
        Entry(name: EncodeRow.name, measure: EncodeRow.measure),
        Entry(name: ReplayRow.name, measure: ReplayRow.measure),
        Entry(name: VerifyRow.name, measure: VerifyRow.measure),
        Entry(name: AuthenticityRow.name, measure: AuthenticityRow.measure),
        Entry(name: CompressionRow.name, measure: CompressionRow.measure),
        Entry(name: ReplayCheckRow.name, measure: ReplayCheckRow.measure),
        Entry(name: HTTPRow.name, measure: HTTPRow.measure),
        Entry(name: SessionsRow.name, measure: SessionsRow.measure),
        Entry(name: StepsRow.name, measure: StepsRow.measure),
        Entry(name: ResumeRow.name, measure: ResumeRow.measure),
        Entry(name: DueRow.name, measure: DueRow.measure),
        Entry(name: MemoryRow.name, measure: MemoryRow.measure),
        Entry(name: ServerAppendRow.name, measure: ServerAppendRow.measure),
        Entry(name: ServerCommitRow.name, measure: ServerCommitRow.measure),
        Entry(name: ServerCompressionRow.name, measure: ServerCompressionRow.measure),
        Entry(name: LanesRow.name, measure: LanesRow.measure),
        Entry(name: SubscriptionRow.name, measure: SubscriptionRow.measure),
        Entry(name: NodesRow.name, measure: NodesRow.measure),
        Entry(name: TakeoverRow.name, measure: TakeoverRow.measure),
        Entry(name: StartUpRow.name, measure: StartUpRow.measure),
        Entry(name: ServiceRow.name, measure: ServiceRow.measure),
    ]
}
