import Foundation
import Testing

@testable import Adapters
@testable import EventLog
@testable import SwedbankPay

/// Readers with deliberate bugs, which the targets and their inputs must find.
@Suite struct BrokenReaderTests {
    /// The maximum number of inputs until a bug is found: fewer than a manual run of any target
    /// tries.
    private static let patience = 5000

    /// The first finding, and the number of inputs before it.
    private func fault(
        in target: FuzzTarget,
        seed: UInt64
    ) -> (input: Int, what: String)? {
        let originals = Inputs.corpus(of: target).map(\.bytes)
        var mutations = Mutations(seed: seed, of: originals, maximumLength: target.maximumLength)
        for input in 1...Self.patience {
            do throws(Broken) {
                _ = try target.check(mutations.next())
            } catch {
                return (input, error.description)
            }
        }
        return nil
    }

    /// Expects a finding with each of several seeds.
    private func expectFault(
        _ claim: String,
        in target: FuzzTarget,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for seed in 1...3 as ClosedRange<UInt64> {
            let found = fault(in: target, seed: seed)
            #expect(
                found?.what.contains(claim) == true,
                "seed \(seed): \(String(describing: found))",
                sourceLocation: sourceLocation
            )
        }
    }

    @Test func `a matcher that accepts any URL beginning like the payment URL is detected`() {
        let careless = FuzzTarget.matchingReturnURLs { url, payment, _ in
            if url == payment { return .original }
            return url.hasPrefix(payment.prefix(12)) ? .augmented : nil
        }
        #expect(FuzzTarget.returnURL.name == careless.name)
        let found = (1...3).compactMap { fault(in: careless, seed: $0) }
        #expect(found.count == 3, "\(found)")
    }

    @Test func `a matcher that accepts a host with a longer first label is detected`() {
        expectFault(
            "label by label",
            in: FuzzTarget.matchingRedirectHosts { pattern, host in
                pattern.matches(host) || host.count > 3 && pattern.matches(String(host.dropFirst()))
            }
        )
    }

    @Test func `a reader that accepts JSON with members out of order is detected`() {
        expectFault(
            "fixed point",
            in: FuzzTarget.readingCanonicalJSON { bytes in
                // A parser that does not check the order of names.
                guard let value = try? JSONValue(parsing: bytes),
                    let canonical = try? value.canonical()
                else { return false }
                return canonical.sorted() == bytes.sorted()
            }
        )
    }

    @Test func `a reader whose record is not written back as the same line is detected`() {
        expectFault(
            "read back as it was",
            in: FuzzTarget.readingLogLines { bytes in
                var record = try LogLine.decode(bytes)
                // A parser that truncates a seal which is longer than the previous one.
                record.seals = record.seals.map {
                    Array($0.prefix(20).dropLast($0.count > 4 ? 1 : 0))
                }
                return record
            }
        )
    }

    @Test func `a reader whose error quotes the line is detected`() {
        struct Quoting: Error, CustomStringConvertible { var description: String }
        expectFault(
            "a secret is not quoted",
            in: FuzzTarget.readingLogLines { bytes in
                do {
                    return try LogLine.decode(bytes)
                } catch {
                    throw Quoting(description: String(decoding: bytes, as: UTF8.self))
                }
            }
        )
    }

    @Test func `a reader that reads past the end of the input is detected by its trap`() async {
        await #expect(processExitsWith: .failure) {
            // In a process of its own, since this parser ends it.
            let target = FuzzTarget.readingLogLines { bytes in
                if bytes.last == UInt8(ascii: ":") { _ = bytes[bytes.count] }
                return try LogLine.decode(bytes)
            }
            let originals = Inputs.corpus(of: target).map(\.bytes)
            var mutations = Mutations(seed: 1, of: originals, maximumLength: target.maximumLength)
            for _ in 1...5000 { _ = try? target.check(mutations.next()) }
        }
    }

    @Test func `a reader with quadratic running time is detected by its growth`() {
        var slow = FuzzTarget.readingLogLines { bytes in
            // A parser that scans the rest again and again.
            let sum = stride(from: 0, to: bytes.count, by: 16).reduce(0) { sum, start in
                bytes[start...].reduce(sum) { $0 ^ Int($1) }
            }
            guard sum >= 0 else { throw Broken(description: "never") }
            return try LogLine.decode(bytes)
        }
        slow.growths = [.repeating("{")]
        #expect(FuzzReplayTests.slowGrowths(of: slow) == ["{…"])
        #expect(FuzzReplayTests.slowGrowths(of: FuzzTarget.logLine) == [])
    }
}
