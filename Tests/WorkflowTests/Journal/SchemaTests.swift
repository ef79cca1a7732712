import Testing

@testable import EventLog
@testable import SwedbankPay

@Suite struct SchemaTests {
    @Test func `every record that is written fits the published schemas`() throws {
        let log = try SampleLog(seed: 0x5EED_0030, rounds: 25)
        let verdict = try PythonTool.validate(log.file)
        #expect(verdict.status == 0, "\(verdict.output)")
        #expect(verdict.output == "\(log.records.count) lines fit the schemas\n")
        let golden = SampleLog.file(try GoldenLog.records())
        #expect(try PythonTool.validate(golden).status == 0)
    }

    @Test func `an unknown member is refused in every type of event`() throws {
        let records = try SampleLog(seed: 0x5EED_0031).records.map { record in
            record.rewritten { $0.replacing("},\"meta\":", with: ",\"zzz\":1},\"meta\":") }
        }
        #expect(try refusedLines(of: records) == Array(1...records.count))
    }

    @Test func `an event whose data is empty is refused, whatever its type`() throws {
        let records = try SampleLog(seed: 0x5EED_0032).records.map { record in
            var copy = record
            copy.canonical = Self.replacingData(of: record, with: "{}")
            return copy
        }
        #expect(try refusedLines(of: records) == Array(1...records.count))
    }

    @Test func `an event that lacks one required member is refused, whatever its type`() throws {
        var records: [StoredRecord] = []
        for record in try SampleLog(seed: 0x5EED_0032).records {
            let value = try JSONValue(parsing: record.canonical)
            guard let data = value["data"], case .object(let members) = data else { continue }
            for member in members {
                var (other, less) = (value, data)
                less[member.name] = nil
                other["data"] = less
                var copy = record
                copy.canonical = try other.canonical()
                if Self.lacksMember(copy) { records.append(copy) }
            }
        }
        #expect(Set(records.map(\.type)) == Set(EventType.allCases.map(\.name)))
        #expect(try refusedLines(of: records) == Array(1...records.count))
    }

    @Test func `records of later event versions match the schemas, whatever their data`() throws {
        let records = try SampleLog(seed: 0x5EED_0033).records.map { record in
            record.rewritten {
                $0.replacing(/"v":[12]}/, with: "\"v\":3}")
                    .replacing("},\"meta\":", with: ",\"zzz\":1},\"meta\":")
            }
        }
        #expect(try PythonTool.validate(SampleLog.file(records)).status == 0)
    }

    @Test func `a malformed record envelope is refused`() throws {
        let record = try #require(try SampleLog(seed: 0x5EED_0034).records.first)
        let changes: [(String) -> String] = [
            { $0.replacing("\"seq\":1", with: "\"seq\":0") },
            { $0.replacing("\"seq\":1", with: "\"seq\":\"1\"") },
            { $0.replacing("\"v\":1}", with: "\"v\":-1}") },
            { $0.replacing("\"type\":\"opened\"", with: "\"type\":\"\"") },
            { $0.replacing("Z\",\"data\"", with: "+01:00\",\"data\"") },
            { $0.replacing("\"stream\":\"", with: "\"stream\":\"x") },
            { $0.replacing("\"v\":1}", with: "\"v\":1,\"w\":1}") },
        ]
        let records = changes.map { record.rewritten($0) }
        #expect(records.allSatisfy { $0.canonical != record.canonical })
        #expect(try refusedLines(of: records) == Array(1...records.count))
    }

    private func refusedLines(of records: [StoredRecord]) throws -> [Int] {
        let verdict = try PythonTool.validate(SampleLog.file(records))
        #expect(verdict.status == 1)
        return verdict.output.split(separator: "\n").compactMap { line in
            line.split(separator: " ").dropFirst().first.flatMap { Int($0.dropLast()) }
        }
    }

    /// Whether the program cannot read a record for want of a member.
    private static func lacksMember(_ record: StoredRecord) -> Bool {
        do throws(EventDecodingError) {
            _ = try EventCodec.decode(record.canonical)
            return false
        } catch {
            guard case .missing = error else { return false }
            return true
        }
    }

    private static func replacingData(of record: StoredRecord, with data: String) -> [UInt8] {
        guard let range = try? RecordEnvelope(of: record.canonical).data else { return [] }
        return Array(record.canonical[..<range.lowerBound]) + Array(data.utf8)
            + Array(record.canonical[range.upperBound...])
    }
}
