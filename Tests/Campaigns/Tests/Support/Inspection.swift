import Adapters
import EventLog
import Foundation
import Inspection
import SwedbankPay
import TestSupport
import Testing

extension Place {
    /// Expects that log, ledger and acknowledgements agree, that the store is sound, and that its
    /// logs replay.
    func expectAgreement(
        _ oracle: Oracle,
        seed: UInt64,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let found = oracle.findings()
        if !found.isEmpty {
            keep()
            print("seed \(seed): \(found.count) findings\(oracle.evidence(for: found))")
        }
        #expect(found.map(\.what) == [], "seed \(seed)", sourceLocation: sourceLocation)
        let verified = try await tool(["verify"])
        if verified.status != 0 { keep() }
        #expect(verified.status == 0, "\(verified.words)", sourceLocation: sourceLocation)
        let divergences = try await divergences()
        if !divergences.isEmpty { keep() }
        #expect(divergences == [], "seed \(seed)", sourceLocation: sourceLocation)
    }

    /// Returns where these rules decide differently than a log, according to `replay --check`.
    func divergences() async throws -> [String] {
        let options = SQLiteOptions(access: .readOnly)
        let store = try await SQLiteEventStore(path: self.store, options: options)
        let decider = SessionDecider(catalogue: .bundled, limits: SessionLimits())
        var found: [String] = []
        for row in try await store.sessions(matching: SessionQuery()) {
            let records = try await store.read(row.session, from: 1, limit: 10_000)
            let events = try records.map { try EventCodec.decode($0.canonical) }
            var check = ReplayCheck(of: row.session, by: decider)
            do throws(ReplayCheck.Divergence) {
                for (index, event) in events.enumerated() {
                    let next = index + 1 < events.count ? events[index + 1].event : nil
                    try check.verify(event, followedBy: next)
                }
                try check.finish()
            } catch {
                found.append("\(row.session) at \(error.sequence)")
            }
        }
        await store.close()
        return found
    }
}
