/// What routers, cells, the map's owner and subscribers have to do so that several cells work like
/// one store.
enum CellDuty: CaseIterable {
    /// A router asks the cells that former epochs chose for an address before it opens it.
    case askFormerCells
    /// It asks for each epoch whose sessions may be open, not only for the last one.
    case askForEachEpoch
    /// It opens nothing while such a cell does not respond.
    case waitForSilentCells
    /// It asks no other cells.
    case askOnlyChosenCells
    /// It finds a session by the cell in its identifier.
    case followIdentifiers
    /// A cell refuses routers whose map is older than one that it has seen.
    case refuseOlderMaps
    /// A cell that was restored learns the newest epoch before it responds to routers: its copy may
    /// have forgotten it.
    case learnEpochAfterRestore
    /// The map's owner keeps a former epoch as long as sessions that it opened may be open.
    case keepFormerEpochs
    /// A subscriber reads a restored cell from the beginning.
    case startAgainAfterRestore
    /// A subscriber saves a position after it has processed the records before it.
    case saveAfterProcessing

    /// The guarantee that breaks without it.
    var guarantee: CellGuarantee {
        switch self {
        case .askFormerCells, .askForEachEpoch, .waitForSilentCells, .refuseOlderMaps,
            .learnEpochAfterRestore, .keepFormerEpochs:
            .oneSessionPerAddress
        case .askOnlyChosenCells: .othersContinue
        case .followIdentifiers: .namedSessionsAreFound
        case .startAgainAfterRestore, .saveAfterProcessing: .nothingIsSkipped
        }
    }
}

/// What must hold in all cells together.
enum CellGuarantee {
    /// An address has at most one session in all cells; sessions that a restore lost are counted
    /// separately.
    case oneSessionPerAddress
    /// An identifier leads to the cell that has the session; to none only if a restore lost it.
    case namedSessionsAreFound
    /// The merged subscription has every record that a cell has, those of each session in order.
    case nothingIsSkipped
    /// A cell refuses the log positions of other cells and those from before its restore.
    case foreignPositionsAreRefused
    /// While a cell does not respond, payments of other cells continue.
    case othersContinue
    /// A session that began to pay and was lost is found in the PSP's ledger.
    case lossesAreReported
}

/// What happened in a world.
struct CellReport: Equatable {
    /// What may happen in a world; each occurs in some world.
    enum Occurrence: CaseIterable {
        case opened, foundAgain, foundInFormerCell, refusedForOlderMap, noResponse
        case mapChanged, epochDropped, cellClosed, cellLost, sessionLost, openedAgainAfterLoss
        case settled, settledDuringOutage, requestRepeated, lostWhilePaying
        case batchRepeated, subscriptionStartedAgain
    }

    /// A guarantee that broke.
    struct Violation: Equatable {
        let guarantee: CellGuarantee
        let what: String
    }

    var counts: [Occurrence: Int] = [:]
    var violations: [Violation] = []
    /// The hash of all records of all cells at the end.
    var digest: [UInt8] = []

    mutating func count(_ occurrence: Occurrence, times: Int = 1) {
        counts[occurrence, default: 0] += times
    }
}
