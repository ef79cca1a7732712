import EventLog
import Workflow

extension ReadModel {
    /// What lists and sums of bookings need, for any store: bookings are found by their seat, and
    /// counted by how they ended.
    static let seats = ReadModel(
        columns: [Column("seat", .text)],
        indexes: [Index("seat", .isPresent)],
        sums: [.bookings],
        endings: [SeatEvent.EventType.ended.rawValue]
    )
}

extension ReadModel.Sum {
    /// The bookings that are over, by how they ended.
    static let bookings = Self(
        "bookings",
        of: [.init("phase", .isOneOf([.text(SessionSummary.ended)]))],
        by: [.column("outcome")]
    )
}

extension SeatRules {
    func summary(of state: SeatState, next: NextStep<SeatRules>) -> SessionSummary {
        var row = plainSummary(of: state, next: next)
        row.facts = SessionFacts(values: [.text(state.seat)])
        return row
    }
}
