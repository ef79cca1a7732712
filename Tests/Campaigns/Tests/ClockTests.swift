import Foundation
import TestSupport
import Testing

/// A node whose wall clock is set back or forward while it pays.
@Suite(.guarantee(.settles), .tags(.repeatedThoroughly)) struct ClockTests {
    @Test(arguments: Tier.isThorough ? [-7200, 300] : [-7200])
    func `payments go on when the wall clock jumps, and no log goes back in time`(
        seconds: Int
    ) async throws {
        try await Place.with("clock") { place in
            var seed = Seed(8)
            let payments = try await Plan.payments(22, named: "t", at: place, using: &seed)
            try Plan.write(payments, to: "jobs", of: place)
            let clock = Faults.Switch(path: place.folder + "/switch", files: "nothing")
            try clock.set()
            let host = try place.host(environment: try Faults.follow(clock))
            try await place.acknowledgements(60)
            try clock.set(clockOffBy: seconds)
            // A jump during which no session was active would prove nothing.
            let (begun, ended) = place.sessions()
            #expect(!begun.isEmpty)
            #expect(ended.count < begun.count, "all payments ended before the clock jumped")
            let ending = await host.ending(killedAfter: .seconds(180))
            if ending.status != 0 { place.keep() }
            #expect(ending.status == 0, "the sessions do not settle: \(ending.words)")
            var oracle = try await Oracle(of: place, payments: payments)
            // Acknowledgements are dated by the clock that jumped; the PSP's ledger by one that did
            // not.
            oracle.told = [:]
            try await place.expectAgreement(oracle, seed: 8)
        }
    }
}
