import TestSupport
import Testing

@testable import EventLog
@testable import SwedbankPay

@Suite(.duty("C-17")) struct LogVerifierTests {
    @Test(.guarantee(.redactionInvariant))
    func `a sound log verifies, with its seals and without`() throws {
        let log = try SampleLog(seed: 0x5EED_0020, rounds: 2)
        let last = try #require(log.records.last)
        let (head, damage) = LogVerifier<SessionEvent>.verify(log.records, stream: log.stream)
        #expect(damage == nil)
        #expect(head == StreamHead(sequence: SequenceNumber(log.records.count), hash: last.hash))
        let redacted = log.records.map { record in
            var copy = record
            copy.seals = []
            return copy
        }
        #expect(LogVerifier<SessionEvent>.verify(redacted).damage == nil)
    }

    @Test func `the first damaged record is named with the kind of its damage`() throws {
        let log = try SampleLog(seed: 0x5EED_0021)
        let ten = log.records[9]
        let before = log.records[8].hash
        func kind(_ change: (inout [StoredRecord]) -> Void) -> LogDamage.Kind? {
            var records = log.records
            change(&records)
            let (head, damage) = LogVerifier<SessionEvent>.verify(records, stream: log.stream)
            #expect(damage?.sequence == 10 && head.sequence == 9)
            return damage?.kind
        }
        #expect(kind { $0[9].canonical.removeLast() } != nil)
        #expect(kind { $0.remove(at: 9) } == .outOfSequence(found: 11))
        #expect(kind { $0.insert($0[8], at: 9) } == .outOfSequence(found: 9))
        #expect(kind { $0[9].previous = .zero } == .wrongPrevious)
        #expect(kind { $0[9].hash = .zero } == .wrongHash)
        #expect(kind { $0[9].type = "completed" } == .contradicted(member: "type"))
        #expect(kind { $0[9].sequence = 11 } == .contradicted(member: "seq"))
        #expect(kind { $0[9].at = Instant(microseconds: 0) } == .contradicted(member: "at"))
        #expect(kind { $0[9].seals.append([1]) } == .wrongSeals)
        #expect(
            kind { $0[9] = ten.rewritten { $0.replacing("\"v\":1}", with: "\"v\":1 }") } }
                == .notCanonical
        )
        #expect(
            kind {
                $0[9] = ten.rewritten { text in
                    text.replacing("\(ten.at)", with: "\(log.records[7].at)")
                }
            } == .timeWentBack
        )
        #expect(
            kind {
                $0[9].canonical =
                    ten.rewritten { text in
                        text.replacing("\"meta\":{\"build\":\"", with: "\"meta\":{\"build\":\"x")
                    }.canonical
            } == .wrongHash
        )
        #expect(before == ten.previous)
    }

    @Test func `a record of another session is detected`() throws {
        let log = try SampleLog(seed: 0x5EED_0022)
        let other = try SampleLog(seed: 0x5EED_0023)
        let mixed = Array(log.records[..<4]) + Array(other.records[4...])
        #expect(
            LogVerifier<SessionEvent>.verify(mixed).damage?.kind
                == .foreignStream(found: other.stream)
        )
        #expect(
            LogVerifier<SessionEvent>.verify(other.records, stream: log.stream).damage?.kind
                == .foreignStream(found: other.stream)
        )
    }

    @Test func `a Python script finds the same logs intact and the same logs damaged`()
        throws
    {
        let log = try SampleLog(seed: 0x5EED_0024, rounds: 3)
        let sound = try PythonTool.verifyChain(log.file)
        #expect(sound.status == 0, "\(sound.output)")
        #expect(sound.output.contains("verified  records: \(log.records.count), sessions: 1"))
        var altered = log.records
        altered[40] = altered[40].rewritten {
            $0.replacing("\"meta\":{\"build\":\"", with: "\"meta\":{\"build\":\"x")
        }
        var swapped = log.records
        swapped.swapAt(20, 21)
        var forged = log.records
        forged[30].canonical =
            forged[30].rewritten {
                $0.replacing("\"meta\":{\"build\":\"", with: "\"meta\":{\"build\":\"x")
            }.canonical
        var shortened = log.records
        shortened.remove(at: 50)
        for records in [altered, swapped, forged, shortened, Array(log.records[1...])] {
            #expect(LogVerifier<SessionEvent>.verify(records).damage != nil)
            let verdict = try PythonTool.verifyChain(SampleLog.file(records))
            #expect(verdict.status == 1, "\(verdict.output)")
        }
        #expect(try PythonTool.verifyChain(Array(log.file.dropLast(9))).status == 1)
    }
}
