import EventLog

/// A router: it knows the map of some epoch, and keeps nothing else.
final class CellRouter {
    var map: CellMap
    private let neglected: CellDuty?

    init(map: CellMap, neglecting duty: CellDuty?) {
        (self.map, neglected) = (map, duty)
    }

    /// The cells that the router asks for an address, in this order, before it opens a session.
    func cellsToAsk(for address: Digest256) -> [Int] {
        switch neglected {
        case .askFormerCells: return []
        case .askForEachEpoch: return map.formerHomes(of: address, epochs: 1)
        case .askOnlyChosenCells:
            let home = map.current.home(of: address)
            return map.entries.map(\.cell).filter { $0 != home }
        default: return map.formerHomes(of: address)
        }
    }

    /// The cell of a session; `nil` if the map does not list it, so that a newer one is needed.
    func cell(of session: SessionID, address: Digest256) -> Int? {
        guard neglected != .followIdentifiers else { return map.current.home(of: address) }
        return map.entries.first { $0.cell == session.cell }?.cell
    }
}

/// A payer's request to open a session, on its way through the cells.
struct Opening {
    let address: Int
    let router: Int
    /// The epoch of the router's map at the beginning.
    ///
    /// All its requests name it, even if the router gets another map in between.
    let epoch: Int
    /// The cells that are still to be asked.
    var toAsk: [Int]
    /// The cell in which the session is opened when all others have none.
    let home: Int
    /// The identifier that the session gets; it names the cell.
    let session: SessionID

    /// The cell that gets the next request.
    var next: Int { toAsk.first ?? home }

    /// What came of a request to one cell.
    enum Progress {
        case unfinished(Opening)
        case found(SessionID)
        case noResponse
        case olderMap
    }
}
