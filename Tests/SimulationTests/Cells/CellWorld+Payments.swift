import EventLog
import WorkflowTesting

/// What payers do through routers.
extension CellWorld {
    /// A payer brings an address for the first time, often to several routers at once.
    func bringNewAddress() {
        let address = newAddress()
        for router in routers.indices {
            if chance(60) { begin(address, at: router) }
        }
    }

    /// A payer brings an address to a router.
    func begin(_ address: Int, at router: Int) {
        openings.append(opening(of: address, at: router))
    }

    func opening(of address: Int, at router: Int) -> Opening {
        let (fingerprint, map) = (addresses[address].fingerprint, routers[router].map)
        let home = map.current.home(of: fingerprint)
        return Opening(
            address: address,
            router: router,
            epoch: map.epoch,
            toAsk: routers[router].cellsToAsk(for: fingerprint),
            home: home,
            session: newSession(in: home)
        )
    }

    /// The next request of one opening that is under way arrives.
    func advanceOne() async throws {
        guard !openings.isEmpty else { return }
        let index = roll(openings.count)
        // The last request is the one that writes, and often a slow one.
        guard !openings[index].toAsk.isEmpty || !chance(30) else { return }
        try await advance(at: index)
    }

    /// The next request of an opening arrives.
    func advance(at index: Int) async throws {
        let opening = openings.remove(at: index)
        switch try await advance(opening) {
        case .unfinished(let rest): openings.append(rest)
        case .found(let session):
            // The response may be lost; then the payer comes again, or nobody knows the session.
            if !chance(10), !known.contains(session) { known.append(session) }
        case .noResponse: report.count(.noResponse)
        case .olderMap:
            report.count(.refusedForOlderMap)
            routers[opening.router].map = map
            // Duty of a router: it does not begin again after the address has expired, because
            // former epochs are then forgotten.
            if isValid(opening.address) { begin(opening.address, at: opening.router) }
        }
    }

    /// Sends the next request of an opening.
    ///
    /// Duty of a router: it opens the address only after each cell that a former epoch chose for it
    /// has responded that it has none. It does not pass over a cell that does not respond.
    func advance(_ opening: Opening) async throws -> Opening.Progress {
        guard let cell = opening.toAsk.first else { return try await open(opening) }
        var rest = opening
        rest.toAsk.removeFirst()
        guard isReachable(cell, from: .router(opening.router)) else {
            return neglected == .waitForSilentCells ? .unfinished(rest) : .noResponse
        }
        let fingerprint = addresses[opening.address].fingerprint
        switch try await cells[cell].find(fingerprint, epoch: opening.epoch) {
        case .noSession, .opened: return .unfinished(rest)
        case .session(let session):
            report.count(.foundInFormerCell)
            return .found(session)
        case .olderMap: return .olderMap
        }
    }

    private func open(_ opening: Opening) async throws -> Opening.Progress {
        guard isReachable(opening.home, from: .router(opening.router)),
            let append = CellPayment.append(
                after: .empty,
                of: opening.session,
                address: addresses[opening.address].fingerprint,
                at: now
            )
        else { return .noResponse }
        switch try await cells[opening.home].open(append, epoch: opening.epoch) {
        case .opened:
            report.count(.opened)
            try await checkOpened(opening)
            return .found(opening.session)
        case .session(let session):
            report.count(.foundAgain)
            return .found(session)
        case .olderMap: return .olderMap
        case .noSession: return .noResponse
        }
    }

    /// What came of a request that names a session.
    enum Drive {
        case unfinished
        case settled
        case notThere
        case noResponse
    }

    /// A payer continues with a session that they know.
    func driveOne() async throws {
        guard !known.isEmpty else { return }
        let session = known[roll(known.count)]
        guard try await drive(session, by: roll(routers.count)) == .notThere else { return }
        known.removeAll { $0 == session }
        // The payer, whose session was lost, brings the address again.
        guard let address = addressOf[session], isValid(address) else { return }
        begin(address, at: roll(routers.count))
    }

    /// Sends a request that names a session, with which its payment continues by one event.
    func drive(_ session: SessionID, by router: Int) async throws -> Drive {
        guard let address = addressOf[session] else { return .notThere }
        let fingerprint = addresses[address].fingerprint
        if routers[router].cell(of: session, address: fingerprint) == nil {
            routers[router].map = map
        }
        guard let index = routers[router].cell(of: session, address: fingerprint),
            isReachable(index, from: .router(router))
        else { return .noResponse }
        guard let head = try await cells[index].store.head(of: session) else {
            try await checkAbsence(of: session)
            return .notThere
        }
        if index != session.cell {
            violate(.namedSessionsAreFound, "\(session) is in cell \(index)")
        }
        guard
            let append = CellPayment.append(
                after: head,
                of: session,
                address: fingerprint,
                at: now
            )
        else { return .settled }
        if append.summary.isSettled {
            if ledger.request(session, address: address) { report.count(.requestRepeated) }
            checkLedger(of: address)
            // The engine may crash before it records the PSP's response; then it sends it again.
            guard !chance(15) else { return .unfinished }
        }
        try await cells[index].append(append)
        guard append.summary.isSettled else { return .unfinished }
        report.count(.settled)
        return .settled
    }

    /// Continues a payment until it is settled, and returns whether it is.
    @discardableResult
    func pay(_ session: SessionID, by router: Int = 0) async throws -> Bool {
        for _ in 0..<Size.requests {
            switch try await drive(session, by: router) {
            case .unfinished: continue
            case .settled: return true
            case .notThere, .noResponse: return false
            }
        }
        return false
    }
}
