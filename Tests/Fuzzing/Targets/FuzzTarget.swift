/// A parser of external data, with properties that hold for every input.
struct FuzzTarget: Sendable {
    /// The name, which is also that of its directories of inputs.
    let name: String
    /// The maximum length of random inputs; inputs written by hand may be longer.
    let maximumLength: Int
    /// The number of random inputs in the tests; scripts/fuzz performs long runs.
    var replayRounds = 200
    /// Inputs in addition to those of the directory.
    var seeds: @Sendable () -> [[UInt8]] = { [] }
    /// Inputs of any length, for which the parser must take linear time.
    var growths: [Growth] = []
    /// Parses an input and checks the properties.
    ///
    /// - Returns: Whether the input was accepted, at least in part.
    /// - Throws: ``Broken`` when a property does not hold.
    let check: @Sendable ([UInt8]) throws(Broken) -> Bool

    /// Inputs of one shape.
    struct Growth: Sendable {
        let name: String
        /// Returns an input of approximately this length.
        let bytes: @Sendable (Int) -> [UInt8]

        /// Returns a piece that is repeated between a beginning and an end.
        static func repeating(
            _ piece: String,
            after head: String = "",
            before tail: String = ""
        ) -> Growth {
            Growth(name: head + piece + "…" + tail) { length in
                let count = max(1, length / piece.utf8.count)
                return Array((head + String(repeating: piece, count: count) + tail).utf8)
            }
        }
    }

    /// All targets.
    static let all: [FuzzTarget] = [
        .logLine, .log, .record, .redaction, .canonicalJSON, .providerJSON, .snapshot, .order,
        .problem,
        .catalogue, .returnURL, .redirectHosts, .addresses, .challenge, .headers, .requestURL,
        .scenario, .configuration, .paymentOrder, .backendRequest, .arguments,
        .logFile, .cloudEvent, .gzip, .zstd, .resumeFile, .checkpoint, .logCursor, .outboxPlace,
        .settlement,
    ]
}

/// A violated property.
struct Broken: Error, CustomStringConvertible {
    let description: String
}

/// Checks a property.
func hold(_ holds: Bool, _ claim: @autoclosure () -> String) throws(Broken) {
    if !holds { throw Broken(description: "not so: " + claim()) }
}

/// The text that represents a secret in inputs; no error and no description may contain it.
enum Canary {
    static let text = "canary-7f3a9c51d2e8"

    /// Checks that a text does not contain the secret.
    static func isAbsent(from shown: String) throws(Broken) {
        try hold(!shown.contains(text), "a secret is not quoted")
    }
}

/// An input that consists of several texts, one in each line.
struct Lines {
    private let lines: [String]

    init(_ bytes: [UInt8]) {
        lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// Returns the line with an index; empty when there are fewer.
    subscript(index: Int) -> String { index < lines.count ? lines[index] : "" }

    var all: [String] { lines }
}
