/// One reader of bytes from outside, and what has to hold whatever the bytes are.
struct FuzzTarget: Sendable {
    /// Its name, also that of its folders of inputs.
    let name: String
    /// The longest input that random runs make; hand-made ones may be longer.
    let maximumLength: Int
    /// How many random inputs the tests try; a long run is scripts/fuzz.
    var replayRounds = 200
    /// Inputs beside those of the folder.
    var seeds: @Sendable () -> [[UInt8]] = { [] }
    /// Inputs of any length, whose work must grow no faster than they do.
    var growths: [Growth] = []
    /// Reads an input and checks what has to hold.
    ///
    /// - Returns: Whether the input was accepted, be it in part.
    /// - Throws: ``Broken`` when something does not hold.
    let check: @Sendable ([UInt8]) throws(Broken) -> Bool

    /// Inputs of one shape.
    struct Growth: Sendable {
        let name: String
        /// The input of about so many bytes.
        let bytes: @Sendable (Int) -> [UInt8]

        /// The same piece over and over, between two ends.
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

/// Something that has to hold and does not.
struct Broken: Error, CustomStringConvertible {
    let description: String
}

/// Checks something that has to hold.
func hold(_ holds: Bool, _ claim: @autoclosure () -> String) throws(Broken) {
    if !holds { throw Broken(description: "not so: " + claim()) }
}

/// What stands for a secret in inputs; no error and no description may show it.
enum Canary {
    static let text = "canary-7f3a9c51d2e8"

    /// Checks that a text does not show it.
    static func isAbsent(from shown: String) throws(Broken) {
        try hold(!shown.contains(text), "a secret is not quoted")
    }
}

/// An input that is several texts, one a line.
struct Lines {
    private let lines: [String]

    init(_ bytes: [UInt8]) {
        lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// The line of an index; empty when there are fewer.
    subscript(index: Int) -> String { index < lines.count ? lines[index] : "" }

    var all: [String] { lines }
}
