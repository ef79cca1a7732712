import Foundation
import TestSupport

extension Oracle {
    /// Reads what a campaign left in a place.
    ///
    /// - Parameters:
    ///   - place: The place of the campaign.
    ///   - payments: The payments that were planned.
    ///   - hosts: The hosts whose acknowledgements count.
    ///   - told: The acknowledgements that commands have printed.
    /// - Throws: An error when a file or the store cannot be read.
    init(
        of place: Place,
        payments: [Plan.Payment],
        hosts: [String] = ["host"],
        told: [Acknowledgement] = []
    ) async throws {
        var acknowledged = told
        for host in hosts {
            let path = "\(place.folder)/\(host).acknowledged"
            acknowledged += try Self.acknowledgements(in: path, of: host)
        }
        self.init(
            payments: payments,
            ledger: try await Ledger.read(of: place),
            logs: try await PaymentLog.read(of: place),
            acknowledged: acknowledged
        )
        // Those on whose money others acted come first: they are the most error-prone.
        let others = Set(payments.filter { $0.others != nil }.map(\.reference))
        let sessions = logs.values.sorted { left, right in
            let (isLeft, isRight) = (
                others.contains(left.reference ?? ""), others.contains(right.reference ?? "")
            )
            return isLeft == isRight ? left.session < right.session : isLeft
        }
        let atRisk = try await MoneyTold.atRisk(in: place)
        for log in sessions.prefix(Self.mostShown) {
            self.told[log.session] = try await MoneyTold.read(
                log.session,
                of: place,
                atRisk: atRisk
            )
        }
    }

    /// The number of sessions whose money is checked: each takes a command.
    static let mostShown = 80

    /// Returns what a host has acknowledged; a last line that a kill cut off does not count.
    static func acknowledgements(in path: String, of host: String) throws -> [Acknowledgement] {
        guard let data = FileManager.default.contents(atPath: path) else { return [] }
        return data.split(separator: 0x0A).compactMap { line in
            guard
                let members = try? JSONSerialization.jsonObject(with: line) as? [String: Any],
                let session = members["session"] as? String
            else { return nil }
            return Acknowledgement(
                session: session,
                sequence: members["seq"] as? Int,
                type: members["type"] as? String,
                outcome: members["outcome"] as? String,
                reference: members["reference"] as? String,
                source: host
            )
        }
    }

    /// Returns what a person needs to investigate the findings: rows of the ledger, and timelines.
    func evidence(for findings: [Finding]) -> String {
        var text = ""
        for finding in findings.prefix(5) {
            text += "\n\(finding)\n"
            if let session = finding.session { text += "  session \(session)\n" }
            if let order = finding.order {
                text += "  the PSP's ledger of order \(order):\n"
                for row in ledger.rows(of: order) {
                    text += "    \(row.sequence) \(row.rel) \(row.status) \(row.outcome)\n"
                }
            }
            if let session = finding.session, let log = logs[session] {
                text += "  the log:\n\(log.timeline)\n"
            }
        }
        return text
    }
}
