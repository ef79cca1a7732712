import Foundation

/// The inputs of a target that are kept in the repository.
struct Inputs {
    /// An input and the file that contains it.
    struct Input {
        let name: String
        let bytes: [UInt8]
    }

    /// Ordinary inputs, with which random runs begin.
    static func corpus(of target: FuzzTarget) -> [Input] {
        files(in: "Corpus/\(target.name)")
            + target.seeds().enumerated().map { Input(name: "seed \($0)", bytes: $1) }
    }

    /// Inputs that once caused a failure, and inputs that were written to cause one.
    static func regressions(of target: FuzzTarget) -> [Input] {
        files(in: "Regressions/\(target.name)") + files(in: "Regressions/every-reader")
    }

    private static func files(in folder: String) -> [Input] {
        let place = GoldenLogs.folder.appendingPathComponent(folder)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        return names.sorted().compactMap { name in
            (try? Data(contentsOf: place.appendingPathComponent(name))).map {
                Input(name: "\(folder)/\(name)", bytes: [UInt8]($0))
            }
        }
    }
}
