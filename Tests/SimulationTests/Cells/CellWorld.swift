import EventLog
import Workflow

/// A world with several cells, routers whose maps differ, payers, faults and the PSP's ledger.
///
/// Everything happens one request to one cell after another, as a seed decides. So requests of
/// routers, changes of the map and faults fall between any two requests of one payer.
final class CellWorld {
    /// The address of a session at the PSP, which payers may bring several times.
    struct Address {
        /// Its digest under a key that all cells share.
        let fingerprint: Digest256
        let createdAt: Int
    }

    /// Who sends requests to cells.
    enum Sender: Equatable {
        case router(Int)
        case subscriber
        case mapOwner
    }

    /// A sender that gets no response from a cell.
    struct Cut: Equatable {
        let sender: Sender
        let cell: Int
    }

    /// The numbers of a world; one step stands for a second.
    enum Size {
        static let steps = 500
        static let routers = 3
        static let cells = 7
        /// The time in which payers bring an address.
        static let lifetime = 90
        /// The maximum number of records that a restore loses.
        static let lostRecords = 16
        /// The maximum number of requests that a payment takes if nothing fails for ever.
        static let requests = 100
        /// The number of addresses that are tried to find one of other cells.
        static let tries = 20
    }

    let neglected: CellDuty?
    private var dice: SplitMix64
    private(set) var time = 0
    /// The newest map, from which routers get theirs.
    var map: CellMap
    var cells: [Cell] = []
    var routers: [CellRouter] = []
    var addresses: [Address] = []
    /// The requests to open a session that are under way.
    var openings: [Opening] = []
    /// The sessions that payers know.
    var known: [SessionID] = []
    /// The sessions that were opened, by address, and the address of each.
    var opened: [Int: [SessionID]] = [:]
    var addressOf: [SessionID: Int] = [:]
    /// The sessions that restores lost.
    var lost: Set<SessionID> = []
    var cuts: [Cut] = []
    /// The newest epoch that each cell has confirmed to the map's owner.
    var confirmed: [Int] = []
    /// Since when all cells refuse an epoch.
    var refusedSince: [Int: Int] = [:]
    var ledger = PaymentLedger()
    let subscriber: MergedSubscriber
    var report = CellReport()

    private init(seed: UInt64, neglecting duty: CellDuty?) {
        (neglected, dice) = (duty, SplitMix64(seed: seed))
        let map = CellMap(weights: [1, 2, 1])
        self.map = map
        subscriber = MergedSubscriber(neglecting: duty)
        for _ in map.entries { addCell() }
        routers = (0..<Size.routers).map { _ in CellRouter(map: map, neglecting: duty) }
    }

    /// Runs the world of a seed, and reports what happened up to the first broken guarantee.
    static func run(seed: UInt64, neglecting duty: CellDuty? = nil) async throws -> CellReport {
        let world = CellWorld(seed: seed, neglecting: duty)
        for _ in 0..<Size.steps {
            try await world.step()
            guard world.report.violations.isEmpty else { return world.report }
        }
        try await world.finish()
        try await world.checkAtEnd()
        return world.report
    }

    private func step() async throws {
        time += 1
        switch roll(100) {
        case ..<5: bringNewAddress()
        case ..<19: if let address = anyAddress() { begin(address, at: roll(routers.count)) }
        case ..<57: try await advanceOne()
        case ..<71: try await driveOne()
        case ..<78: try await subscribe()
        case ..<80: routers[roll(routers.count)].map = map
        case ..<86: changeMap()
        case ..<89: try await cutOff()
        case ..<93: heal()
        case ..<97: try await loseOne()
        default: confirmEpochs()
        }
    }

    /// Ends all faults, and lets all payments and the subscriber finish.
    private func finish() async throws {
        cuts = []
        for router in routers { router.map = map }
        for _ in 0..<Size.steps * Size.requests {
            guard !openings.isEmpty else { break }
            try await advanceOne()
        }
        for cell in cells {
            for row in try await cell.rows() { try await pay(row.session) }
            for _ in 0..<Size.steps * Size.requests {
                guard try await read(cell) else { break }
            }
        }
    }

    // MARK: - Chance and time

    func roll(_ count: Int) -> Int { Int(dice.next() % UInt64(count)) }

    func chance(_ percent: Int) -> Bool { roll(100) < percent }

    var now: Instant { Instant(microseconds: 1_795_262_400_000_000) + .seconds(time) }

    /// Creates an address.
    func newAddress() -> Int {
        let text = "https://psp.example/sessions/\(dice.next())"
        let key = HashChain.hash(.zero, Array("the key of the map".utf8))
        let fingerprint = HashChain.hash(key, Array(text.utf8))
        addresses.append(Address(fingerprint: fingerprint, createdAt: time))
        return addresses.count - 1
    }

    /// An address that payers may still bring.
    private func anyAddress() -> Int? {
        let valid = addresses.indices.filter(isValid)
        return valid.isEmpty ? nil : valid[roll(valid.count)]
    }

    func isValid(_ address: Int) -> Bool { time - addresses[address].createdAt < Size.lifetime }

    func newSession(in cell: Int) -> SessionID {
        SessionID(at: now, cell: cell, random: dice.next())
    }

    /// Adds the next cell, which knows the newest epoch.
    func addCell() {
        let refusesOlderMaps = neglected != .refuseOlderMaps
        cells.append(
            Cell(id: cells.count, epoch: map.epoch, refusesOlderMaps: refusesOlderMaps)
        )
        confirmed.append(map.epoch)
    }

    func isReachable(_ cell: Int, from sender: Sender) -> Bool {
        !cuts.contains(Cut(sender: sender, cell: cell))
    }

    // MARK: - The subscriber

    private func subscribe() async throws {
        let cell = cells[roll(cells.count)]
        guard isReachable(cell.id, from: .subscriber) else { return }
        _ = try await read(cell, crashAfter: chance(25) ? roll(3) : nil)
    }

    /// Reads records of a cell, and returns whether there may be more.
    private func read(_ cell: Cell, crashAfter limit: Int? = nil) async throws -> Bool {
        let step = try await subscriber.read(cell, crashAfter: limit)
        for gap in subscriber.gaps {
            violate(.nothingIsSkipped, "\(gap.stream) before record \(gap.sequence)")
        }
        switch step {
        case .read(let count): return count > 0
        case .crashed:
            report.count(.batchRepeated)
            return true
        case .startedAgain:
            report.count(.subscriptionStartedAgain)
            return true
        case .refused: return false
        }
    }

    func violate(_ guarantee: CellGuarantee, _ what: String) {
        report.violations.append(CellReport.Violation(guarantee: guarantee, what: what))
    }
}
