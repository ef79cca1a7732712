import EventLog

/// What happens to cells and to their map.
extension CellWorld {
    /// Begins the next epoch: a cell is added, drained or gets another weight.
    func changeMap() {
        report.count(.mapChanged)
        let open = map.current.open.map(\.cell)
        let (cell, weight) = (open[roll(open.count)], 1 + roll(3))
        switch roll(3) {
        case 0 where cells.count < Size.cells:
            let added = cells.count
            map.change { $0.append(CellMap.Entry(cell: added, weight: weight)) }
            addCell()
        case 1 where open.count > 2: map.change { $0[cell].phase = .draining }
        default: map.change { $0[cell].weight = weight }
        }
    }

    /// The map's owner tells the cells the newest epoch, and ends the time of former ones.
    ///
    /// Duty of the owner: the lifetime of a former epoch's sessions begins when every cell has
    /// confirmed a newer epoch. Until then, a router with an old map can open a session.
    func confirmEpochs() {
        for cell in cells where isReachable(cell.id, from: .mapOwner) {
            cell.learn(map.epoch)
            confirmed[cell.id] = map.epoch
        }
        for epoch in map.former.map(\.epoch) {
            if let since = refusedSince[epoch] {
                let isOver = time - since >= Size.lifetime
                guard isOver || neglected == .keepFormerEpochs else { continue }
                let before = map.entries.count { $0.phase == .closed }
                map.drop(epoch: epoch)
                report.count(.epochDropped)
                let after = map.entries.count { $0.phase == .closed }
                report.count(.cellClosed, times: after - before)
            } else if confirmed.allSatisfy({ $0 > epoch }) {
                refusedSince[epoch] = time
            }
        }
    }

    /// Cuts a cell off from one router, or from all.
    func cutOff() async throws {
        let cell = roll(cells.count)
        if chance(50) {
            cuts.append(Cut(sender: .router(roll(routers.count)), cell: cell))
            return
        }
        cuts += routers.indices.map { Cut(sender: .router($0), cell: cell) }
        cuts += [Cut(sender: .subscriber, cell: cell), Cut(sender: .mapOwner, cell: cell)]
        try await payElsewhere(than: cell)
    }

    /// Ends the outage of a cell.
    func heal() {
        guard !cuts.isEmpty else { return }
        let cell = cuts[roll(cuts.count)].cell
        cuts.removeAll { $0.cell == cell }
    }

    /// A payment whose cells all respond is opened and settled while another cell does not respond.
    private func payElsewhere(than cell: Int) async throws {
        let router = roll(routers.count)
        routers[router].map = map
        for _ in 0..<Size.tries {
            let address = newAddress()
            let fingerprint = addresses[address].fingerprint
            let chosen =
                [map.current.home(of: fingerprint)] + map.formerHomes(of: fingerprint)
            guard !chosen.contains(cell),
                chosen.allSatisfy({ isReachable($0, from: .router(router)) })
            else { continue }
            var next = opening(of: address, at: router)
            for _ in 0...Size.cells {
                switch try await advance(next) {
                case .unfinished(let rest):
                    next = rest
                    continue
                case .found(let session):
                    if try await pay(session, by: router) {
                        report.count(.settledDuringOutage)
                    } else {
                        violate(.othersContinue, "\(session) waits for cell \(cell)")
                    }
                case .noResponse, .olderMap:
                    violate(.othersContinue, "address \(address) waits for cell \(cell)")
                }
                return
            }
        }
    }

    /// Loses a cell and restores it from a copy that lacks its last records.
    ///
    /// Duty of whoever restores a cell: it learns the newest epoch before it responds to routers.
    /// Otherwise it would let older routers open addresses of which it said that it has none.
    func loseOne() async throws {
        let cell = cells[roll(cells.count)]
        let (rows, end) = (try await cell.rows(), try await cell.end())
        try await cell.restore(withoutLast: 1 + roll(Size.lostRecords))
        if neglected != .learnEpochAfterRestore { cell.learn(map.epoch) }
        let kept = Set(try await cell.rows().map(\.session))
        let missing = rows.map(\.session).filter { !kept.contains($0) }
        lost.formUnion(missing)
        report.count(.cellLost)
        report.count(.sessionLost, times: missing.count)
        if let end { await checkRefused(end) }
        // The requests that waited for the cell arrive first.
        for waiting in openings where waiting.next == cell.id {
            guard let index = openings.firstIndex(where: { $0.session == waiting.session }) else {
                continue
            }
            try await advance(at: index)
        }
    }
}
