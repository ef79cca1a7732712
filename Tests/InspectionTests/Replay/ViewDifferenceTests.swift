import EventLog
import SwedbankPay
import Testing

@testable import Inspection

/// Differences between two views.
@Suite struct ViewDifferenceTests {
    @Test func `each difference between two views is listed by its path`() {
        let before = JSONValue.object([
            .init("phase", .string("ready")), .init("list", .array([.integer(1), .integer(2)])),
        ])
        let after = JSONValue.object([
            .init("phase", .string("ended")), .init("list", .array([.integer(1), .integer(3)])),
            .init("more", .null),
        ])
        let changes = ViewDifference(before, after).changes
        #expect(changes.map(\.path) == ["phase", "list[1]", "more"])
    }
}
