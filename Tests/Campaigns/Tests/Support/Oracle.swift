import Foundation
import TestSupport

/// Compares the acknowledgements and the logs with what actually happened at the PSP.
///
/// It reads files and the ledger, and shares no code with the engine, so that they cannot have a
/// bug in common.
struct Oracle {
    let payments: [Plan.Payment]
    let ledger: Ledger
    let logs: [String: PaymentLog]
    let acknowledged: [Acknowledgement]
    /// What `show` says of the money, by session.
    var told: [String: MoneyTold] = [:]
    /// What a subscriber received, in order of arrival; `nil` if there was none.
    var received: [Follower.Receipt]?

    /// A fact about a session that an engine has acknowledged.
    struct Acknowledgement {
        var session: String
        var sequence: Int?
        var type: String?
        var outcome: String?
        var reference: String?
        /// The file or command that it comes from.
        var source: String
    }

    /// A fault; the session and the order are looked up for the evidence.
    struct Finding: CustomStringConvertible {
        var what: String
        var session: String?
        var order: String?

        var description: String { what }
    }

    /// Returns all faults.
    func findings() -> [Finding] {
        var found = acknowledged.flatMap(missing) + feedFaults
        let byReference = Dictionary(grouping: logs.values) { $0.reference ?? "" }
        for payment in payments {
            let candidates = byReference[payment.reference] ?? []
            guard candidates.count == 1, let log = candidates.first else {
                let what = "\(payment.reference) has \(candidates.count) sessions, not 1"
                found.append(Finding(what: what, session: candidates.first?.session))
                continue
            }
            guard let order = payment.order ?? log.order else {
                if log.outcome != "canceled"
                    || !log.records.contains(where: { $0.type == "problem" })
                {
                    let what = "\(payment.reference) has no order"
                    found.append(Finding(what: what, session: log.session))
                }
                continue
            }
            guard let row = ledger.orders.first(where: { $0.order == order }) else {
                let what = "\(payment.reference): the PSP does not know its order"
                found.append(Finding(what: what, session: log.session, order: order))
                continue
            }
            let money =
                told[log.session].map {
                    $0.faults(with: row, responses: ledger.rows(of: order))
                } ?? []
            found += (faults(in: log) + faults(of: payment, log, row) + money).map {
                Finding(
                    what: "\(payment.reference) (\(payment.kind)): \($0)",
                    session: log.session,
                    order: order
                )
            }
        }
        let known = Set(payments.compactMap(\.order) + logs.values.compactMap(\.order))
        // A creation whose response was lost is repeated under another reference: nobody can have
        // paid the first.
        for row in ledger.orders where !known.contains(row.order) && !row.attempts.isEmpty {
            let what = "the PSP has attempts for an order that is in no log"
            found.append(Finding(what: what, order: row.order))
        }
        return found
    }

    /// Where a subscriber missed a record, or received one before an earlier one of its session.
    ///
    /// It may receive records repeatedly.
    private var feedFaults: [Finding] {
        guard let received else { return [] }
        var found: [Finding] = []
        var arrived: [String: Int] = [:]
        for receipt in received {
            let count = arrived[receipt.session, default: 0]
            guard receipt.sequence <= count + 1 else {
                let what = "a subscriber received \(receipt.sequence) after \(count)"
                found.append(Finding(what: what, session: receipt.session))
                continue
            }
            let records = logs[receipt.session]?.records ?? []
            if !records.indices.contains(receipt.sequence - 1)
                || records[receipt.sequence - 1].hash != receipt.hash
            {
                let what = "a subscriber received another \(receipt.sequence) than the log has"
                found.append(Finding(what: what, session: receipt.session))
            }
            arrived[receipt.session] = max(count, receipt.sequence)
        }
        for log in logs.values where arrived[log.session] ?? 0 != log.records.count {
            let what =
                "a subscriber received \(arrived[log.session] ?? 0) of \(log.records.count) records"
            found.append(Finding(what: what, session: log.session))
        }
        return found
    }

    /// Returns what was acknowledged and is not in the log.
    private func missing(_ acknowledgement: Acknowledgement) -> [Finding] {
        func lost(_ words: String) -> [Finding] {
            let what = "acknowledged by \(acknowledgement.source), but \(words)"
            return [Finding(what: what, session: acknowledgement.session)]
        }
        guard let log = logs[acknowledgement.session] else {
            return lost("session \(acknowledgement.session) is not in the store")
        }
        if let reference = acknowledgement.reference, log.reference != reference {
            return lost("its reference is not \(reference)")
        }
        if let sequence = acknowledgement.sequence {
            guard sequence <= log.records.count else {
                return lost("the log ends at \(log.records.count), before \(sequence)")
            }
            if let type = acknowledgement.type, sequence > 0,
                log.records[sequence - 1].type != type
            {
                return lost("\(sequence) is \(log.records[sequence - 1].type), not \(type)")
            }
        }
        if let outcome = acknowledgement.outcome, log.outcome != outcome {
            return lost("the outcome is \(log.outcome ?? "open"), not \(outcome)")
        }
        return []
    }

    /// Returns the faults within a log.
    private func faults(in log: PaymentLog) -> [String] {
        var faults: [String] = []
        var previous = String(repeating: "0", count: 64)
        var at = ""
        for (index, record) in log.records.enumerated() {
            if record.sequence != index + 1 { faults.append("a gap before \(record.sequence)") }
            if record.previous != previous { faults.append("broken chain at \(record.sequence)") }
            if record.at < at { faults.append("the time goes back at \(record.sequence)") }
            (previous, at) = (record.hash, record.at)
        }
        let ends = log.records.filter { PaymentLog.ends.contains($0.type) }
        if ends.count > 1 { faults.append("it ends \(ends.count) times") }
        let numbers = log.records.filter { $0.type == "attemptStarted" }
            .compactMap { $0.data["number"] as? Int }
        if numbers != Array(1..<(numbers.count + 1)) { faults.append("attempts \(numbers)") }
        return faults
    }

    /// Requests that change nothing at the PSP.
    private static let reads: Set<String> = [
        "session", "get-payment", "order", "redirect-payer", "view-payment", "event-logging",
    ]

    /// Returns where log and ledger disagree.
    private func faults(
        of payment: Plan.Payment,
        _ log: PaymentLog,
        _ row: Ledger.Order
    ) -> [String] {
        var faults = row.doubles
        let started = log.started
        for (rel, count) in row.requests.sorted(by: { $0.key < $1.key })
        where !Self.reads.contains(rel) && count > started[rel] ?? 0 {
            faults.append(
                "the PSP saw \(rel) \(count) times, the log started it \(started[rel] ?? 0) times"
            )
        }
        let rows = ledger.rows(of: row.order)
        let starts = rows.filter { $0.rel == "start-payment-attempt" && $0.wasCarriedOut }.count
        let attempts = log.startedAttempts.count
        if starts > attempts { faults.append("\(starts) payments for \(attempts) attempts") }
        if row.attempts.filter({ $0.state == "paid" }).count > 1 { faults.append("paid twice") }
        if let outcome = log.outcome, payment.others != nil {
            // The outcome depends on who is faster, and paid money may have been refunded since.
            if (outcome == "completed") != (row.authorizedAmount > 0) {
                faults.append("the log says \(outcome), the PSP took \(row.authorizedAmount)")
            }
        } else if let outcome = log.outcome {
            if outcome != payment.goal { faults.append("ended as \(outcome)") }
            if (outcome == "completed") != (row.status == "Paid") {
                faults.append("the log says \(outcome), the PSP \(row.status)")
            }
        } else {
            faults.append("it did not end; the PSP says \(row.status)")
        }
        return faults + transactionFaults(of: payment, log, row)
    }

    private func transactionFaults(
        of payment: Plan.Payment,
        _ log: PaymentLog,
        _ row: Ledger.Order
    ) -> [String] {
        guard log.isCheckout else { return [] }
        var faults: [String] = []
        let requested = log.records.filter { $0.type == "transactionRequested" }
        let done = log.records.filter {
            $0.type == "transactionSettled" && $0.text("result") == "done"
        }
        if row.captures > requested.count {
            faults.append("\(row.captures) captures, \(requested.count) requested")
        }
        if row.captures != done.count {
            faults.append("\(row.captures) captures, \(done.count) recorded as done")
        }
        if row.refusedDuplicates > 0 {
            faults.append("\(row.refusedDuplicates) transactions were sent again")
        }
        if row.capturedAmount != payment.captures.reduce(0, +) {
            faults.append("captured \(row.capturedAmount) of \(payment.captures)")
        }
        return faults
    }
}
