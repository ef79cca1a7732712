import Testing

@testable import UVTransport

@Suite struct RetryAfterTests {
    private static let now = "Sun, 06 Nov 1994 08:49:37 GMT"

    @Test(
        arguments: [
            ("0", 0), ("120", 120), (" 7 ", 7), ("99999999999999999999", 86_400), ("90000", 86_400),
            ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sunday, 06-Nov-94 08:50:07 GMT", 30),
            ("Sun Nov  6 09:49:37 1994", 3600), ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
            ("Mon, 07 Nov 1994 00:00:00 GMT", 54_623),
        ])
    func `a Retry-After in seconds or as a date is read, up to a maximum`(
        value: String,
        seconds: Int
    ) {
        #expect(
            RetryAfter.duration(value, date: Self.now, maximum: .seconds(86_400))
                == .seconds(seconds)
        )
    }

    @Test(arguments: [
        "", "soon", "-1", "1.5", "٣", "Sun, 06 Nov 1994 25:00:00 GMT",
        "Sun, 06 Foo 1994 08:50:37 GMT",
    ])
    func `an unreadable Retry-After is ignored`(value: String) {
        #expect(RetryAfter.duration(value, date: Self.now, maximum: .seconds(10)) == nil)
    }

    @Test func `a Retry-After date is ignored without the response's own date`() {
        #expect(RetryAfter.duration(Self.now, date: nil, maximum: .seconds(10)) == nil)
        #expect(RetryAfter.duration(nil, date: Self.now, maximum: .seconds(10)) == nil)
    }

    @Test func `HTTP dates are converted to seconds since 1970`() {
        #expect(HTTPDate.seconds("Thu, 01 Jan 1970 00:00:00 GMT") == 0)
        #expect(HTTPDate.seconds("Tue, 29 Feb 2000 12:00:00 GMT") == 951_825_600)
        #expect(HTTPDate.seconds("Sat, 21 Nov 2026 05:20:00 GMT") == 1_795_238_400)
    }
}
