internal import Measuring

/// Reading logs: rows, events, state.
enum ReplayRow {
    static let name = "replay"

    static func measure(_ options: Options, in directory: String) async throws -> Row {
        let sample = try await Samples.log(in: directory)
        var row = Row(
            name: name,
            what: "replay (read, decode, evolve) of 30-event sessions, one core",
            baseline: "reading the same rows with a bare prepared statement"
        )
        let rounds = options.count(10, quick: 4)
        for (material, events) in [
            ("whole logs", sample.events), ("ordinary events", sample.ordinary),
        ] {
            let bed = try await ReplayBed(
                sessions: options.count(2000, quick: 400),
                events: events,
                sample: sample,
                path: "\(directory)/\(material).db"
            )
            let each = try await Alternation(
                rounds: rounds,
                ours: bed.replayEach,
                baseline: bed.readEach
            )
            let all = try await Alternation(
                rounds: rounds,
                ours: bed.replayAll,
                baseline: bed.readAll
            )
            await bed.close()
            row.add("\(material): mean size", bed.bytes, "bytes an event")
            row.add("\(material), reading alone", each.baselineMedian, "events/s")
            row.add("\(material), in storage order", all.oursMedian, "events/s")
            row.add("\(material), in storage order, of reading", all.ratio * 100, "%")
            if material == "whole logs" {
                row.add(material, each.oursMedian, "events/s")
                row.add("\(material), of reading", each.ratio * 100, "%")
            } else {
                row.expect(material, each.oursMedian, atLeast: 700_000, "events/s")
                row.expect("\(material), of reading", each.ratio * 100, atLeast: 50, "%")
            }
        }
        row.notes.append(
            """
            one session after the other means one read for each, handed to a reading thread and back, which is what a \
            restart does; in storage order all records are read in pieces, which is what verifying and exporting do
            """
        )
        row.notes.append(
            "rates are events per processor second of the process, which is what one core could do"
        )
        return row
    }
}
