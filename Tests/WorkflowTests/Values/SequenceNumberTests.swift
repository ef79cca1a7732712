import EventLog
import Testing

/// The numbers of records, which a damaged store may replace by any other.
@Suite struct SequenceNumberTests {
    @Test func `the greatest number, which anybody can send, has no next one`() {
        #expect(SequenceNumber.max.next == .max)
        #expect(SequenceNumber.zero.next == 1)
    }

    static let numbers = [Int64.min, .min + 1, -1, 0, 1, 2, .max - 1, .max]

    @Test(arguments: numbers, numbers)
    func `any two sequence numbers can be compared and subtracted without overflow`(
        left: Int64,
        right: Int64
    ) {
        let (one, other) = (SequenceNumber(rawValue: left), SequenceNumber(rawValue: right))
        #expect((one == other) == (left == right))
        #expect((one < other) == (left < right))
        #expect([one: 1][other] == (left == right ? 1 : nil))
        let (difference, overflow) = left.subtractingReportingOverflow(right)
        #expect(one - other == (overflow ? (left < 0 ? .min : .max) : difference))
    }

    @Test func `sequence numbers form ranges from 1 and are parsed from whole numbers only`() {
        #expect(Array(SequenceNumber.first...3) == [1, 2, 3])
        #expect(SequenceNumber.first.distance(to: 4) == 3)
        #expect(SequenceNumber(3).next == 4 && SequenceNumber(3).count == 3)
        #expect(SequenceNumber("12") == 12 && SequenceNumber("1.5") == nil)
    }
}
