import HTTPTypes
import Testing

@testable import Adapters
@testable import UVTransport

@Suite struct HeaderFieldsTests {
    @Test(
        arguments: [
            ("A B", "x", "header name"), ("", "x", "header name"), ("A:", "x", "header name"),
            ("Å", "x", "header name"), (":path", "/", "header name"),
            ("A\r\nB", "x", "header name"),
            ("A", "x\r\nB: y", "header value"), ("A", "x\n", "header value"),
            ("A", "\rx", "header value"), ("A", "x\u{0}", "header value"),
            ("A", "\u{7F}", "header value"), ("Authorization", "Bearer t\n", "header value"),
        ]
    )
    func `a name or value that cannot be sent makes no header field`(
        name: String,
        value: String,
        part: String
    ) {
        #expect(throws: TransportFailure(reach: .notSent, kind: .refusedRequest(part))) {
            try HTTPFields(checking: [("X-Good", "y"), (name, value)])
        }
    }

    @Test func `header fields keep their order and spelling`() throws {
        let fields = try HTTPFields(checking: [
            ("x-ONE", "1"), ("Empty", ""), ("X-One", "a, b\tc"), ("Cookie", "a=b; c=d"),
            ("X-Name", "Åsa"),
        ])
        #expect(
            fields.map(\.description)
                == ["x-ONE: 1", "Empty: ", "X-One: a, b\tc", "Cookie: a=b; c=d", "X-Name: Åsa"]
        )
    }

    @Test func `the last of several values of a field counts, and a value keeps its commas`() {
        var fields: HTTPFields = [.date: "Thu, 20 Nov 2025 12:00:00 GMT"]
        #expect(fields.lastValue(of: .date) == "Thu, 20 Nov 2025 12:00:00 GMT")
        fields[values: .retryAfter] = ["7", "9"]
        #expect(fields.lastValue(of: .retryAfter) == "9")
        #expect(RetryAfter.duration(in: fields, maximum: .seconds(60)) == .seconds(9))
        #expect(fields.lastValue(of: .age) == nil)
    }

    @Test func `received header lines become fields, and malformed lines are skipped`() {
        var received = HeaderFields()
        for line in [
            "A:1\r\n", "b: \t two \r\n", "no colon\r\n", ": nameless\r\n", "a b: c\r\n",
            "É: x\r\n", "Empty:\n", "a: \u{1}2\r3\r\n",
        ] {
            Array(line.utf8).withUnsafeBytes { received.append($0) }
        }
        #expect(received.all.map(\.description) == ["A: 1", "b: two", "Empty: ", "a: 2 3"])
        let response = TransportResponse(
            status: 200,
            headers: received.all,
            body: [],
            protocolVersion: "HTTP/1.1",
            duration: .zero
        )
        #expect(response.headers == received.all)
    }

    @Test func `a value that is not valid UTF-8 is kept byte by byte`() {
        let bytes: [UInt8] = [0xE5, 0x20, 0xFF]
        let fields = HeaderFields(HTTPFields([HTTPField(name: .server, value: bytes)]))
        #expect(fields.all[fields: .server] == [HTTPField(name: .server, value: bytes)])
    }

    @Test func `fields beyond the maximum are skipped`() {
        var received = HeaderFields()
        Array("a:b\n".utf8).withUnsafeBytes { line in
            for _ in 0...HeaderFields.maximumCount { received.append(line) }
        }
        #expect(received.all.count == HeaderFields.maximumCount)
    }
}
