import Testing

@testable import EventLog

/// The cell in a session's identifier.
@Suite struct SessionCellTests {
    @Test(arguments: [0, 1, 0x0ABC, SessionID.cells - 1], [0, 7, UInt64.max])
    func `an identifier names its cell, in its text too`(cell: Int, random: UInt64) throws {
        let instant = Instant(microseconds: 1_700_000_000_123_456)
        let session = SessionID(at: instant, cell: cell, random: random)
        let read = try #require(SessionID(session.description))
        #expect(read == session && read.cell == cell)
        // It stays a UUID of version 7 of that millisecond.
        #expect(session.high >> 16 == 1_700_000_000_123 && session.high >> 12 & 0xF == 7)
        #expect(session.low >> 62 == 2)
    }

    @Test func `identifiers are ordered by time first, whatever their cells`() {
        let (first, second) = (Instant(microseconds: 5_000), Instant(microseconds: 6_000))
        let late = SessionID(at: second, cell: 0, random: 0)
        #expect(SessionID(at: first, cell: 4095, random: .max) < late)
    }
}
