import Foundation

/// The inputs of a target that are kept in the repository.
struct Inputs {
    /// An input and its name.
    struct Input {
        let name: String
        let bytes: [UInt8]
    }

    /// Ordinary inputs, with which random runs begin.
    static func corpus(of target: FuzzTarget) -> [Input] {
        (kept[.corpus]?[target.name] ?? [])
            + target.seeds().enumerated().map { Input(name: "seed \($0)", bytes: $1) }
    }

    /// Inputs that once caused a failure, and inputs that were written to cause one.
    static func regressions(of target: FuzzTarget) -> [Input] {
        [target.name, "every-reader"].flatMap { kept[.regressions]?[$0] ?? [] }
    }

    /// A file of inputs.
    private enum Kind: String, CaseIterable {
        case corpus = "Corpus"
        case regressions = "Regressions"
    }

    /// A line of a file: a text, or other bytes in base64.
    private struct Line: Decodable {
        var target: String
        var name: String
        var text: String?
        var base64: Data?
    }

    /// The inputs of both files, by their targets.
    private static let kept = Dictionary(
        uniqueKeysWithValues: Kind.allCases.map { ($0, inputs(in: $0)) }
    )

    private static func inputs(in kind: Kind) -> [String: [Input]] {
        let place = GoldenLogs.folder.appendingPathComponent("\(kind.rawValue).ndjson")
        var inputs: [String: [Input]] = [:]
        do {
            for data in try Data(contentsOf: place).split(separator: 0x0A) {
                let line = try JSONDecoder().decode(Line.self, from: data)
                let bytes = line.text.map { [UInt8]($0.utf8) } ?? line.base64.map { [UInt8]($0) }
                inputs[line.target, default: []].append(
                    Input(name: "\(kind.rawValue)/\(line.target)/\(line.name)", bytes: bytes ?? [])
                )
            }
        } catch {
            preconditionFailure("\(place.lastPathComponent): \(error)")
        }
        return inputs
    }
}
