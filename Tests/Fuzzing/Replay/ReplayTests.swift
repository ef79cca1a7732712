import Foundation
import TestSupport
import Testing

/// Every parser of external data, with kept inputs and with reproducible random ones.
@Suite(.threat("T-23"), .duty("C-12")) struct FuzzReplayTests {
    @Test(arguments: FuzzTarget.all)
    func `inputs that once broke a parser, or were crafted to, violate no guarantee`(
        target: FuzzTarget
    ) {
        let inputs = Inputs.regressions(of: target)
        #expect(inputs.count >= 10)
        for input in inputs { _ = run(target, input.bytes, input.name) }
    }

    @Test(arguments: FuzzTarget.all)
    func `corpus inputs violate no guarantee, and each parser accepts some of them`(
        target: FuzzTarget
    ) {
        let inputs = Inputs.corpus(of: target)
        #expect(!inputs.isEmpty)
        let accepted = inputs.count { run(target, $0.bytes, $0.name) }
        #expect(accepted > 0, "nothing of the corpus is accepted: then nothing was checked")
    }

    @Test(.tags(.repeatedThoroughly), arguments: FuzzTarget.all)
    func `mutated corpus inputs violate no guarantee`(target: FuzzTarget) {
        var mutations = Mutations(
            seed: Self.seed,
            of: Inputs.corpus(of: target).map(\.bytes),
            maximumLength: target.maximumLength
        )
        for round in 0..<Self.rounds(of: target) {
            _ = run(target, mutations.next(), "seed \(Self.seed), round \(round)")
        }
    }

    @Test(.tags(.repeatedThoroughly), arguments: FuzzTarget.all)
    func `eight times the bytes take less than 24 times the work`(target: FuzzTarget) {
        #expect(Self.slowGrowths(of: target) == [], "\(target.name)")
    }

    /// Shapes of input for which a parser might take superlinear time.
    static func slowGrowths(of target: FuzzTarget) -> [String] {
        // Without the time for all, the first shapes.
        target.growths.prefix(Tier.isThorough ? target.growths.count : 2).filter { growth in
            // Only repeatedly slow inputs count, since the machine may be busy.
            !(0..<3).contains { _ in growthFactor(of: target, growth) < tolerableFactor }
        }.map(\.name)
    }

    /// The tolerated growth of the work for eight times the bytes; quadratic work would grow 64
    /// times.
    private static let tolerableFactor = 24.0

    private static func growthFactor(
        of target: FuzzTarget,
        _ growth: FuzzTarget.Growth
    ) -> Double {
        let (short, long) = (growth.bytes(1024), growth.bytes(8 * 1024))
        // Shorter times cannot be measured reliably.
        let least = 100_000.0
        let before = Work.nanoseconds(1) { _ = try? target.check(short) }
        let after = Work.nanoseconds(1) { _ = try? target.check(long) }
        return Double(after) / max(least, Double(before))
    }

    /// From the environment, so that a run can be repeated or varied.
    private static let seed = UInt64(ProcessInfo.processInfo.environment["FUZZ_SEED"] ?? "") ?? 1

    private static func rounds(of target: FuzzTarget) -> Int {
        let given = Int(ProcessInfo.processInfo.environment["FUZZ_ROUNDS"] ?? "")
        return given ?? (Tier.isThorough ? target.replayRounds : target.replayRounds / 5)
    }

    /// Checks an input, and reports a violation.
    private func run(_ target: FuzzTarget, _ bytes: [UInt8], _ name: String) -> Bool {
        Trace.keep(bytes)
        do {
            return try target.check(bytes)
        } catch {
            let shown = Data(bytes.prefix(4096)).base64EncodedString()
            Issue.record("\(target.name), \(name): \(error); the input in base64: \(shown)")
            return false
        }
    }
}

extension FuzzTarget: CustomTestStringConvertible {
    var testDescription: String { name }
}

/// Keeps the current input in a file, to find one that ends the process.
private enum Trace {
    private static let path = ProcessInfo.processInfo.environment["FUZZ_TRACE"]

    static func keep(_ bytes: [UInt8]) {
        guard let path else { return }
        try? Data(bytes).write(to: URL(fileURLWithPath: path))
    }
}
