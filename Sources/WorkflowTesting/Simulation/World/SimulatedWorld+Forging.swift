import EventLog
import Workflow

/// An attacker who can write to the disk but has no keys gives an engine another log than the one
/// that engines wrote.
extension SimulatedWorld {
    /// The attacks on a log.
    private enum Forgery: UInt64, CaseIterable {
        /// Adds a record, a copy of the last one, without a MAC.
        case adds
        /// Adds a record with the MAC of another one.
        case addsWithCopiedMAC
        /// Changes a record and recomputes the chain from there.
        case changes
        /// Removes the last record.
        case cuts
        /// Removes the last record, and changes the session's row to match.
        case cutsWithItsRow
        /// Removes the last record, and lets the session's row state no end that has a MAC.
        case cutsAndEmptiesItsRow
        /// Removes all MACs.
        case strips
        /// Removes the session's row.
        case dropsItsRow
        /// Exchanges the session's row with another one.
        case swapsRows
    }

    /// Gives an engine a forged log, which it must not drive.
    mutating func offerForgery(of number: Int, to node: Int) {
        guard forger.next() % 1000 < UInt64(faults.forgedLog), settings.sealsRecords,
            let keys = scenario.secrets.keys, let log = logs[number].records,
            let last = log.last
        else { return }
        let head = StreamHead(sequence: last.sequence, hash: last.hash)
        var end: LogAuthentication.End? = .init(sequence: head.sequence, mac: keys.mac(of: head))
        let driver = nodes[node].driver
        let session = residents[number].id
        guard driver.admits(log, LogAuthentication(keys: keys, end: end)) else {
            return violation(.authenticLog, "the own log of \(session) is refused")
        }
        let kinds = UInt64(Forgery.allCases.count)
        guard let forgery = Forgery(rawValue: forger.next() % kinds),
            let forged = self.log(log, of: number, forged: forgery, &end)
        else { return }
        note(.loaded, node: node, number, "a forged log: \(forgery)")
        guard driver.admits(forged, LogAuthentication(keys: keys, end: end)) else { return }
        violation(.authenticLog, "a log of \(session) is driven that somebody forged: \(forgery)")
    }

    /// Returns when engines find a session through its row, which an attacker may have changed so
    /// that nothing seems to be due; `nil` if they never find it.
    mutating func discovery(of number: Int, due: Instant) -> Instant? {
        // Engines search for logs that end in the future, because another clock was ahead.
        let isAhead = logs[number].live.lastAt - now > settings.engineLimits.clockTolerance
        let time = max(isAhead ? min(due, now + .seconds(10)) : due, now + .seconds(1))
        guard faults.changedRow > 0, forger.next() % 1000 < UInt64(faults.changedRow) else {
            return time
        }
        let live = logs[number].live
        var row = scenario.rules.summary(of: live, next: scenario.rules.next(in: live))
        row.dueAt = forger.next().isMultiple(of: 2) ? nil : due + SessionSummary.dueTolerance * 1000
        note(.loaded, node: nil, number, "its row says that nothing is due")
        // Only an engine that compares rows with their logs finds it now.
        guard nodes.contains(where: { $0.driver.corrects(row, due: due) }) else {
            violation(
                .settles,
                "\(residents[number].id) is forgotten: its row says that nothing is due"
            )
            return nil
        }
        return max(time, now + EngineConfiguration().reviewInterval)
    }

    private mutating func log(
        _ log: [StoredRecord],
        of number: Int,
        forged forgery: Forgery,
        _ end: inout LogAuthentication.End?
    ) -> [StoredRecord]? {
        var log = log
        switch forgery {
        case .adds, .addsWithCopiedMAC:
            guard let last = log.last,
                var event = try? RecordReader.event(in: last, of: Scenario.Rules.Event.self),
                event.sequence > 1
            else { return nil }
            event.sequence += 1
            let head = StreamHead(sequence: last.sequence, hash: last.hash)
            guard var added = try? RecordWriter.unsealedRecord(event, after: head) else {
                return nil
            }
            if forgery == .addsWithCopiedMAC { added.mac = last.mac }
            log.append(added)
            end?.sequence += 1
        case .changes:
            var head = StreamHead.empty
            let first = Int(forger.next() % UInt64(log.count))
            for index in log.indices {
                if index >= first {
                    guard
                        var event = try? RecordReader.event(
                            in: log[index],
                            of: Scenario.Rules.Event.self
                        )
                    else { return nil }
                    event.metadata.node = "somebody"
                    guard var changed = try? RecordWriter.unsealedRecord(event, after: head) else {
                        return nil
                    }
                    changed.mac = log[index].mac
                    log[index] = changed
                }
                head = StreamHead(sequence: log[index].sequence, hash: log[index].hash)
            }
        case .cuts:
            log.removeLast()
        case .cutsWithItsRow:
            guard log.count > 1 else { return nil }
            log.removeLast()
            end?.sequence = SequenceNumber(log.count)
        case .cutsAndEmptiesItsRow:
            guard log.count > 1 else { return nil }
            log.removeLast()
            end = LogAuthentication.End(sequence: 0, mac: nil)
        case .strips:
            for index in log.indices { log[index].mac = nil }
            end?.mac = nil
        case .dropsItsRow: end = nil
        case .swapsRows:
            let ends = logs.indices.compactMap { $0 == number ? nil : logs[$0].records?.last }
            guard !ends.isEmpty, let keys = scenario.secrets.keys else { return nil }
            let last = ends[Int(forger.next() % UInt64(ends.count))]
            let head = StreamHead(sequence: last.sequence, hash: last.hash)
            end = .init(sequence: head.sequence, mac: keys.mac(of: head))
        }
        return log
    }
}
