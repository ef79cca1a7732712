import EventLog
import Testing

@testable import Workflow

/// Which due sessions an engine takes up, and in which order.
@Suite struct AdoptionTests {
    private static let sessions = (0..<40).map {
        SessionID(at: Instant(microseconds: 8), random: (0, UInt64($0)))
    }
    private let due = Self.sessions

    @Test func `the longest overdue are adopted, as many as are wanted`() {
        var adoption = Adoption(batch: 3)
        let choice = adoption.choice(among: Array(due.prefix(3)), limit: 3) { _ in false }
        #expect(choice == .adopt(Array(due.prefix(3))))
    }

    @Test func `sessions in memory do not hide those after them`() {
        var adoption = Adoption(batch: 2, reach: 16)
        let held = Set(due.prefix(7))
        var (limit, lists) = (adoption.firstLimit, [Int]())
        while true {
            lists.append(limit)
            let found = Array(due.prefix(limit))
            switch adoption.choice(among: found, limit: limit, held.contains) {
            case .list(let more): limit = more
            case .adopt(let chosen):
                #expect(chosen == Array(due[7...8]) && lists == [2, 8, 16])
                return
            }
        }
    }

    @Test func `no more than the reach is listed`() {
        var adoption = Adoption(batch: 2, reach: 5)
        #expect(adoption.choice(among: due, limit: 2) { _ in true } == .list(5))
        #expect(adoption.choice(among: due, limit: 5) { _ in true } == .adopt([]))
    }

    @Test func `a session that could not be adopted is tried again when no other one is due`() {
        var adoption = Adoption(batch: 2)
        adoption.refuse(due[0])
        let found = Array(due.prefix(2))
        #expect(adoption.choice(among: found, limit: 9) { _ in false } == .adopt([due[1]]))
        let alone = [due[0]]
        #expect(adoption.choice(among: alone, limit: 9) { _ in false } == .adopt([]))
        #expect(adoption.choice(among: alone, limit: 9) { _ in false } == .adopt(alone))
    }

    @Test func `as many refusals as are listed at most are forgotten`() {
        var adoption = Adoption(batch: 1, reach: 2)
        for session in due.prefix(2) { adoption.refuse(session) }
        #expect(adoption.choice(among: [due[2]], limit: 9) { _ in false } == .adopt([due[2]]))
        let choice = adoption.choice(among: Array(due.prefix(1)), limit: 9) { _ in false }
        #expect(choice == .adopt([due[0]]))
    }

    @Test func `a few sessions come first, and each wave has four times as many`() {
        let waves = Adoption.waves(of: due)
        #expect(waves.map(\.count) == [4, 16, 20])
        #expect(waves.flatMap { $0 } == due)
        #expect(Adoption.waves(of: []).isEmpty)
    }
}
