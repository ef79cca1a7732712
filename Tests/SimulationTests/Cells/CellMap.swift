import EventLog
import Workflow

/// The map of the cells in one epoch, as its owner publishes it and as a router knows it.
struct CellMap {
    /// Whether a cell takes addresses.
    enum Phase {
        /// It takes addresses that have no session yet.
        case open
        /// It takes none, but is still asked for those that it was chosen for.
        case draining
        /// It is not asked for addresses any more; its sessions stay in it.
        case closed
    }

    /// A cell in the map.
    struct Entry {
        let cell: Int
        var phase = Phase.open
        var weight: Int
    }

    /// The choice of cells for addresses in one epoch.
    struct Placement {
        let epoch: Int
        /// The open cells of the epoch, of which there is at least one.
        let open: [Entry]

        /// The cell that the epoch chooses for an address: the one that draws the highest number
        /// for it.
        ///
        /// A cell draws as often as its weight says. So an address changes its cell only if that
        /// cell leaves or loses weight, or if another one comes or gains weight.
        func home(of address: Digest256) -> Int {
            var best = (number: UInt64.zero, cell: open[0].cell)
            for entry in open {
                let mark = UInt64(entry.cell + 1) &* 0xD1B5_4A32_D192_ED03
                var draws = SplitMix64(seed: address.words.0 ^ mark)
                for _ in 0..<entry.weight {
                    let number = draws.next()
                    if number > best.number { best = (number, entry.cell) }
                }
            }
            return best.cell
        }
    }

    private(set) var epoch = 1
    private(set) var entries: [Entry]
    /// The earlier epochs in which sessions may have been opened that are not over yet.
    private(set) var former: [Placement] = []

    /// Creates the first map.
    init(weights: [Int]) {
        entries = weights.enumerated().map { Entry(cell: $0.offset, weight: $0.element) }
    }

    /// The choice of cells in this epoch.
    var current: Placement {
        Placement(epoch: epoch, open: entries.filter { $0.phase == .open })
    }

    /// Begins the next epoch.
    mutating func change(_ edit: (inout [Entry]) -> Void) {
        former.append(current)
        edit(&entries)
        epoch += 1
    }

    /// Ends the time in which an epoch's choice is asked, and closes cells that are left over.
    mutating func drop(epoch: Int) {
        former.removeAll { $0.epoch == epoch }
        for index in entries.indices where entries[index].phase == .draining {
            let cell = entries[index].cell
            let isChosen = former.contains { placement in
                placement.open.contains { $0.cell == cell }
            }
            if !isChosen { entries[index].phase = .closed }
        }
    }

    /// The other cells that may have the session of an address, those of the newest epoch first.
    func formerHomes(of address: Digest256, epochs: Int = .max) -> [Int] {
        let home = current.home(of: address)
        var homes: [Int] = []
        for placement in former.suffix(epochs).reversed() {
            let cell = placement.home(of: address)
            if cell != home, !homes.contains(cell) { homes.append(cell) }
        }
        return homes
    }
}
