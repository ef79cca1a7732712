import EventLog
import WorkflowTesting

/// The guarantees, checked by what all cells have and by the PSP's ledger.
extension CellWorld {
    /// Checks that no other cell has a session of an address that was opened now.
    ///
    /// Earlier sessions of it were all lost: the one exception, which is counted.
    func checkOpened(_ opening: Opening) async throws {
        let fingerprint = addresses[opening.address].fingerprint
        var holders: [SessionID] = []
        for cell in cells {
            let query = SessionQuery(addressFingerprint: fingerprint)
            holders += try await cell.store.sessions(matching: query).map(\.session)
        }
        let earlier = opened[opening.address, default: []]
        if holders != [opening.session] || !earlier.allSatisfy(lost.contains) {
            violate(.oneSessionPerAddress, "address \(opening.address): \(holders)")
        }
        if !earlier.isEmpty { report.count(.openedAgainAfterLoss) }
        opened[opening.address, default: []].append(opening.session)
        addressOf[opening.session] = opening.address
    }

    /// Checks that at most one session that was not lost has begun to pay at an address.
    func checkLedger(of address: Int) {
        let paying = ledger.sessions[address, default: []].filter { !lost.contains($0) }
        if paying.count > 1 { violate(.oneSessionPerAddress, "address \(address): \(paying)") }
    }

    /// Checks that a session that was not found is in no cell, since a restore lost it.
    func checkAbsence(of session: SessionID) async throws {
        for cell in cells {
            guard try await cell.store.head(of: session) != nil else { continue }
            violate(.namedSessionsAreFound, "\(session) is in cell \(cell.id)")
        }
        if !lost.contains(session) {
            violate(.namedSessionsAreFound, "\(session) is in no cell")
        }
    }

    /// Checks everything after all payments are settled and the subscriber has read all cells.
    func checkAtEnd() async throws {
        var holders: [Digest256: [SessionID]] = [:]
        var present: Set<SessionID> = []
        var digest = Digest256.zero
        for cell in cells {
            for row in try await cell.rows() {
                present.insert(row.session)
                if let address = row.addressFingerprint {
                    holders[address, default: []].append(row.session)
                }
                if row.session.cell != cell.id {
                    violate(.namedSessionsAreFound, "\(row.session) is in cell \(cell.id)")
                }
                if !row.isSettled { violate(.othersContinue, "\(row.session) is not settled") }
            }
            for record in try await cell.records() {
                digest = HashChain.hash(digest, record.hash.bytes)
                if !subscriber.has(record) {
                    violate(.nothingIsSkipped, "\(record.stream), record \(record.sequence)")
                }
            }
        }
        for sessions in holders.values where sessions.count > 1 {
            violate(.oneSessionPerAddress, "\(sessions)")
        }
        report.digest = digest.bytes
        try await checkPositions()
        checkLosses(present)
    }

    /// Checks that each cell refuses the log positions of all others.
    private func checkPositions() async throws {
        for cell in cells {
            if let end = try await cell.end() { await checkRefused(end, except: cell.id) }
        }
    }

    /// Checks that all cells but one refuse a log position.
    func checkRefused(_ position: LogCursor, except owner: Int? = nil) async {
        for cell in cells where cell.id != owner {
            guard await !cell.refuses(position) else { continue }
            violate(.foreignPositionsAreRefused, "cell \(cell.id) reads after \(position)")
        }
    }

    /// Checks that the PSP's ledger and the cells together show each lost session that had begun to
    /// pay: whoever compares them knows what to reconcile.
    private func checkLosses(_ present: Set<SessionID>) {
        for address in ledger.sessions.keys { checkLedger(of: address) }
        let began = Set(ledger.sessions.values.joined())
        let toReconcile = began.subtracting(present)
        report.count(.lostWhilePaying, times: toReconcile.count)
        if toReconcile != began.intersection(lost) {
            violate(.lossesAreReported, "\(toReconcile.count) to reconcile")
        }
    }
}
