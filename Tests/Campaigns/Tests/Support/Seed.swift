import Foundation
import TestSupport

/// The random source of a campaign: the same seed gives the same decisions.
///
/// When the kills happen also depends on the machine: a seed repeats the plan, not the moment.
struct Seed: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(_ value: UInt64) { state = value }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// Returns a separate source for a part of the campaign.
    mutating func fork() -> Seed { Seed(next()) }

    /// Returns true with a probability, in percent.
    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    mutating func pick<Element>(_ list: [Element]) -> Element {
        list[Int.random(in: 0..<list.count, using: &self)]
    }
}

/// The options of the campaigns, from the environment.
enum CampaignOptions {
    /// The duration of the crash campaign, in seconds: `CAMPAIGN_SECONDS`.
    static let seconds = number("CAMPAIGN_SECONDS") ?? (Tier.isThorough ? 60 : 10)
    /// The seed of the campaign's decisions: `CAMPAIGN_SEED`, else a different one each time.
    static let seed = UInt64(clamping: number("CAMPAIGN_SEED") ?? Int.random(in: 1...999_999))

    /// Another program than the `CampaignHost` beside the tests: `CAMPAIGN_HOST`.
    static let host = ProcessInfo.processInfo.environment["CAMPAIGN_HOST"]
        .flatMap { $0.isEmpty ? nil : $0 }

    /// Whether there is time for what a run of all tests leaves out.
    private static let isLong = seconds > 120

    /// Returns how much of something is tried: in a quick run of the tests, in a thorough one, and
    /// in a long campaign.
    static func extent<Value>(quick: Value, thorough: Value, long: Value) -> Value {
        isLong ? long : Tier.isThorough ? thorough : quick
    }

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap(Int.init)
    }
}
