import Foundation
import TestSupport
import Testing

/// Damaged files of a store: the damage is detected, with one clear error, or nothing is lost.
@Suite(.tags(.repeatedThoroughly)) struct DamageTests {
    /// The exit codes with which a command may respond to a damaged store: success, damaged,
    /// unknown, unavailable.
    private static let responses: Set<Int32> = [0, 65, 66, 69]

    /// Damages a copy of the sample, and runs every command that reads; returns whether `verify`
    /// detected it.
    private func judge(
        _ place: Place,
        _ sample: Sample.Store,
        _ what: String,
        damage: (FileHandle) throws -> Void
    ) async throws -> Bool {
        let store = try sample.copy(to: place.folder)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: store))
        try damage(file)
        try file.close()
        let verified = try await place.tool(["verify"])
        #expect([0, 65].contains(verified.status), "\(what): \(verified.status) \(verified.words)")
        let copy = place.folder + "/again.ndjson"
        try? FileManager.default.removeItem(atPath: copy)
        // It is a copy: before an operator adopts it, nothing is sent from it.
        let adopt = ["store", "adopt", "--reason", "damaged for a test"]
        for command in [["list"], ["export", "-o", copy], ["resume"], adopt, ["resume"]] {
            let ending = try await place.tool(command)
            let words = "\(what): \(command[0]) \(ending.status) \(ending.words)"
            let isRefused = command == ["resume"] && ending.words.contains("[store.not-adopted]")
            #expect(Self.responses.contains(ending.status) || isRefused, "\(words)")
            if ending.status != 0 {
                #expect(ending.words.hasPrefix("error: ") || ending.words.contains("\nerror: "))
                #expect(ending.words.count { $0 == "\n" } < 12, "\(words)")
            }
        }
        if verified.status == 0 {
            // Undetected damage has changed no record; seals are beside the chain and are verified
            // with their keys.
            let (found, expected) = (
                try PaymentLog.hashes(in: copy), try PaymentLog.hashes(in: sample.export)
            )
            #expect(found == expected, "\(what): unnoticed")
        } else {
            #expect(verified.words.contains("error: "), "\(what)")
            #expect(
                verified.words.contains(/\[(store|log)\.[a-z-]+\]/),
                "\(what): \(verified.words)"
            )
        }
        return verified.status == 65
    }

    @Test func `flipped bytes in a page are detected, or change no record`() async throws {
        let sample = try await Sample.store()
        var seed = Seed(CampaignOptions.seed)
        try await Place.with("flipped") { place in
            let attributes = try FileManager.default.attributesOfItem(atPath: sample.store)
            let size = try #require(attributes[.size] as? Int)
            var noticed = 0
            let tries = CampaignOptions.extent(quick: 2, thorough: 6, long: 60)
            for _ in 1...tries {
                let page = Int.random(in: 1..<(size / 4096), using: &seed)
                let offset = page * 4096 + Int.random(in: 0..<4000, using: &seed)
                let bytes = Data((0..<32).map { _ in UInt8.random(in: 0...255, using: &seed) })
                let what = "seed \(CampaignOptions.seed), offset \(offset)"
                let isNoticed = try await judge(place, sample, what) { file in
                    try file.seek(toOffset: UInt64(offset))
                    try file.write(contentsOf: bytes)
                }
                noticed += isNoticed ? 1 : 0
            }
            print("flipped bytes: \(noticed) of \(tries) noticed, the others changed no record")
        }
    }

    @Test(arguments: Tier.isThorough ? [0, 1, 50, 99] : [50])
    func `a truncated store file is detected`(percent: Int) async throws {
        let sample = try await Sample.store()
        try await Place.with("cut") { place in
            let isNoticed = try await judge(place, sample, "\(percent) percent") { file in
                let size = try file.seekToEnd()
                try file.truncate(atOffset: size * UInt64(percent) / 100)
            }
            #expect(isNoticed)
        }
    }

    @Test(.guarantee(.noDoublePay))
    func `a damaged write-ahead log loses only its end, and no order is paid twice`() async throws {
        try await Place.with("wal") { place in
            var seed = Seed(CampaignOptions.seed)
            let kinds = Plan.kinds.filter { $0 != "checkout" && $0 != "abort" }
            let payments = try await Plan.payments(
                27,
                named: "w",
                kinds: kinds,
                at: place,
                using: &seed
            )
            try Plan.write(payments, to: "jobs", of: place)
            // The log then has only payments, not the tables.
            let created = try await place.tool(["store", "init"])
            #expect(created.status == 0, "\(created.words)")
            let host = try place.host()
            // It is killed among its payments, when its log has some pages to lose.
            let log = place.store + "-wal"
            try await place.acknowledgements(60)
            host.kill()
            #expect(await host.ending().wasKilled)
            let before = try await PaymentLog.read(of: place)
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: log))
            let size = try file.seekToEnd()
            try #require(size > 40_000)
            try file.seek(toOffset: UInt64.random(in: size / 2..<size - 4096, using: &seed))
            try file.write(contentsOf: Data(repeating: 0xA5, count: 64))
            try file.close()
            let verified = try await place.tool(["verify"])
            #expect([0, 65].contains(verified.status), "\(verified.words)")
            for (session, log) in try await PaymentLog.read(of: place) {
                let known = try #require(before[session]).records.map(\.hash)
                #expect(known.starts(with: log.records.map(\.hash)))
            }
            // Lost records may have been sent: nothing is sent before an operator confirms that
            // this store is live.
            let adopted = try await place.tool([
                "store", "adopt", "--reason", "its end was damaged",
            ])
            #expect(adopted.status == 0, "\(adopted.words)")
            let ending = await (try place.host("again")).ending(killedAfter: .seconds(180))
            #expect(ending.status == 0, "seed \(CampaignOptions.seed): \(ending.words)")
            for order in try await Ledger.read(of: place).orders {
                #expect(order.doubles == [], "seed \(CampaignOptions.seed)")
                #expect(order.status == "Paid", "seed \(CampaignOptions.seed)")
            }
        }
    }
}
