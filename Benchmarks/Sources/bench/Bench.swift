internal import CMeasure
internal import Foundation
internal import Glibc
internal import Measuring

/// The benchmark program; with `child …` it is one of its own helpers.
@main struct Bench {
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
        let isWhole = try await run(options)
        exit(isWhole ? 0 : 1)
    }

    /// Measures the rows one after the other; returns whether all were measured.
    private static func run(_ options: Options) async throws -> Bool {
        var report = Report(isQuick: options.isQuick)
        if let file = options.instructions { try report.readInstructions(in: file) }
        let place = try WorkingDirectory()
        defer { place.remove() }
        report.syncMicroseconds.append(Machine.syncProbe(in: place.path))
        for entry in Rows.all where options.only.isEmpty || options.only.contains(entry.name) {
            note(report.pressureNow())
            print("measuring \(entry.name) …")
            do {
                report.rows.append(
                    try await entry.measure(options, try place.directory(entry.name))
                )
            } catch {
                var row = Row(name: entry.name, what: "not measured", baseline: "-")
                row.skipped = "\(error)"
                report.rows.append(row)
            }
            note(report.pressureNow())
            place.clear(entry.name)
        }
        report.syncMicroseconds.append(Machine.syncProbe(in: place.path))
        print(report.text)
        let file = options.json ?? place.path + ".json"
        try report.json().write(to: URL(fileURLWithPath: file))
        print("The same as JSON: \(file)")
        return report.rows.allSatisfy { $0.skipped == nil }

        func note(_ now: (pressure: Double, load: Double)) {
            report.pressure.append(now.pressure)
            report.load.append(now.load)
        }
    }
}

extension Report {
    /// Returns the current circumstances.
    func pressureNow() -> (pressure: Double, load: Double) {
        (Machine.processorPressure(), Machine.load())
    }
}
