/// One reader of bytes from outside, and the properties that must hold for all bytes.
struct FuzzTarget: Sendable {
    /// Its name, which is also that of its folders of inputs.
    let name: String
    /// The maximum length of random inputs; hand-made ones may be longer.
    let maximumLength: Int
    /// The number of random inputs that the tests try; scripts/fuzz makes long runs.
    var replayRounds = 200
    /// Inputs in addition to those of the folder.
    var seeds: @Sendable () -> [[UInt8]] = { [] }
    /// Inputs of any length, whose work must not grow faster than their size.
    var growths: [Growth] = []
    /// Reads an input, and checks the properties.
    ///
    /// - Returns: Whether the input was accepted, at least in part.
    /// - Throws: ``Broken`` when a property does not hold.
    let check: @Sendable ([UInt8]) throws(Broken) -> Bool

    /// Inputs of one shape.
    struct Growth: Sendable {
        let name: String
        /// Returns the input of about a number of bytes.
        let bytes: @Sendable (Int) -> [UInt8]

        /// Returns inputs that repeat a piece between two ends.
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
        .logFile, .cloudEvent, .gzip, .zstd, .resumeFile, .checkpoint,
    ]
}

/// A property that does not hold.
struct Broken: Error, CustomStringConvertible {
    let description: String
}

/// Checks a property.
func hold(_ holds: Bool, _ claim: @autoclosure () -> String) throws(Broken) {
    if !holds { throw Broken(description: "not so: " + claim()) }
}

/// The text that stands for a secret in inputs; no error and no description may contain it.
enum Canary {
    static let text = "canary-7f3a9c51d2e8"

    /// Checks that a text does not contain it.
    static func isAbsent(from shown: String) throws(Broken) {
        try hold(!shown.contains(text), "a secret is not quoted")
    }
}

/// An input that consists of several texts, one per line.
struct Lines {
    private let lines: [String]

    init(_ bytes: [UInt8]) {
        lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// The line with an index; empty when there are fewer.
    subscript(index: Int) -> String { index < lines.count ? lines[index] : "" }

    var all: [String] { lines }
}
