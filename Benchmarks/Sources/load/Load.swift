internal import CMeasure
internal import Foundation
internal import Glibc
internal import Measuring

/// The load program; with `child …` it is one of its own helpers.
@main struct Load {
    static func main() async throws {
        write_line_by_line()
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "child" {
            try await Child.run(Array(arguments.dropFirst()))
            return
        }
        guard let options = Options(arguments) else {
            FileHandle.standardError.write(Data((Options.usage + "\n").utf8))
            exit(64)
        }
        let place = try WorkingDirectory()
        defer { place.remove() }
        let load = (before: Machine.load(), pressure: Machine.processorPressure())
        let rows =
            options.isSoak
            ? [try await Soak(options, in: place.path).run()]
            : try await Campaign(options, in: place.path).run()
        print("")
        print(
            """
            \(Machine.processors) processors; load \(load.before) before and \(Machine.load()) after, \
            CPU pressure \(load.pressure) % before

            """
        )
        for row in rows { row.lines.forEach { print($0) } }
        let missed = rows.flatMap { row in row.goals.filter { !$0.isMet }.map(\.label) }
        print(
            missed.isEmpty
                ? "Everything holds." : "Does not hold: \(missed.joined(separator: ", "))"
        )
        if let file = options.json {
            let document: [String: Any] = [
                "processors": Machine.processors, "rows": rows.map(\.document),
            ]
            let data = try JSONSerialization.data(
                withJSONObject: document,
                options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            )
            if file == "-" {
                print(String(decoding: data, as: UTF8.self))
            } else {
                try data.write(to: URL(fileURLWithPath: file))
            }
        }
        exit(missed.isEmpty ? 0 : 1)
    }
}

/// Prints the progress on standard error.
func printProgress(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
}
