import EventLog
import LogFixtures
import TestSupport
import Testing

@testable import Adapters

@Suite struct ForeignJSONTests {
    private func parse(_ text: String) throws(EventDecodingError) -> ForeignJSON {
        try ForeignJSON(parsing: Array(text.utf8), maximumDepth: 32)
    }

    private func isMalformed(_ error: any Error) -> Bool {
        if case .malformed(_?) = error as? EventDecodingError { true } else { false }
    }

    @Test(
        arguments: [
            ("null", ForeignJSON.null), (" true\n", .bool(true)), ("false", .bool(false)),
            ("0", .integer(0)), ("-12", .integer(-12)), ("9223372036854775807", .integer(.max)),
            ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("1.50", .number(1.5)),
            ("-1E-2", .number(-0.01)), ("[]", .array([])), ("{}", .object([:])),
            ("[ 1 , \"a\" ]", .array([.integer(1), "a"])),
            (#"{"a":{"b":null},"a":"second"}"#, .object(["a": .object(["b": .null])])),
            ("\u{FEFF}\"x\"", .string("x")),
            (#""\"\\\/\b\f\n\r\t\u00e5\uD83D\uDE00å""#, .string("\"\\/\u{8}\u{C}\n\r\tå😀å")),
        ])
    func `every kind of JSON value is parsed`(text: String, value: ForeignJSON) throws {
        #expect(try parse(text) == value)
    }

    @Test(
        arguments: [
            "", " ", "nul", "True", "01", "-", "1.", ".5", "1e", "+1", "0x1", "NaN", "[1,]",
            "[1 2]",
            "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,}", "[", "{", "\"", "\"\\", "\"\\x\"",
            "\"\\u12\"",
            "\"\\uD800\"", "\"\\uDC00\"", "\"\\uD800\\u0041\"", "\"a\nb\"", "1 2", "[]]", "'a'",
            "\u{0}",
        ])
    func `invalid JSON is refused`(text: String) {
        #expect { try parse(text) } throws: { isMalformed($0) }
    }

    @Test func `invalid UTF-8 is refused`() {
        for bytes in [[0x22, 0xC3, 0x22], [0x22, 0x5C, 0x6E, 0xFF, 0x22], [0xFF]] as [[UInt8]] {
            #expect { try ForeignJSON(parsing: bytes, maximumDepth: 32) } throws: {
                isMalformed($0)
            }
        }
    }

    @Test(.guarantee(.boundedEverything))
    func `nesting beyond the limit is refused, however deep`() throws {
        let open = String(repeating: "[", count: 32)
        let close = String(repeating: "]", count: 32)
        let refusal = EventDecodingError.limit(name: "depth")
        #expect(throws: Never.self) { try parse(open + close) }
        #expect(throws: refusal) { try parse("[" + open + close + "]") }
        #expect(throws: refusal) {
            try parse(String(repeating: "{\"a\":", count: 1_000_000))
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `the parser agrees with JSONDecoder on what both accept`(seed: UInt64) throws {
        var mutations = ResponseMutations(seed: seed)
        var agreed = 0
        for round in 0..<700 {
            let bytes = mutations.next()
            let ours = try? ForeignJSON(parsing: bytes, maximumDepth: 400)
            let theirs = try? LibraryJSON(parsing: bytes).value
            guard let theirs else { continue }
            guard let ours else {
                // The library accepts a comma before a closing bracket.
                let text = String(decoding: bytes, as: UTF8.self)
                #expect(text.contains(/,\s*[\]}]/), "seed \(seed), round \(round)")
                continue
            }
            let isSame = ours == theirs
            #expect(isSame, "seed \(seed), round \(round)")
            agreed += 1
        }
        #expect(agreed > 20)
    }

    @Test func `written JSON is parsed back to the same value`() throws {
        let value: ForeignJSON = [
            "z": .array([.integer(.min), .number(0.1), .bool(true), .null]),
            "å\u{1}\"\\": "\u{1F600}\u{7F}\n\u{0}", "": [:],
        ]
        #expect(try parse(value.text) == value)
        #expect((["b": "1", "a": .null] as ForeignJSON).text == #"{"a":null,"b":"1"}"#)
    }
}
