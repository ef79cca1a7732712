import EventLog
import SwedbankPay
import TestSupport
import Testing

@testable import workflowctl

@Suite struct ArgumentTests {
    @Test(arguments: [
        ("500ms", Duration.milliseconds(500)), ("30s", .seconds(30)), ("5m", .seconds(300)),
        ("1h", .seconds(3600)), ("0s", .zero), ("0", .zero), ("1d", .seconds(86_400)),
        ("1w", .seconds(604_800)), ("1w2d", .seconds(777_600)),
        ("2h30m", .seconds(9000)), ("30min", .seconds(1800)),
        ("1d12h30m5s20ms", .milliseconds(131_405_020)),
        ("366d", DurationArgument.longest),
    ])
    func `durations are whole numbers with units, the largest first`(
        text: String,
        duration: Duration
    ) {
        #expect(DurationArgument(text)?.duration == duration)
    }

    @Test(arguments: [
        "", "5", "s", "-1s", "1.5s", "5 s", "5S", "99999999999999999999s", "9000000h", "٣s",
        "30m2h",
        "1h1h", "1m1min", "h1", "1h30", "367d", "366d1ms", "53w", "1d1w", "00", "1.5h",
    ])
    func `any other text is not a duration`(text: String) {
        #expect(DurationArgument(text) == nil)
    }

    @Test(arguments: [
        ("90d", Duration.seconds(90 * 86_400), false), ("36525d", PeriodArgument.longest, false),
        ("30min", .seconds(1800), false), ("1m", .seconds(60), true),
        ("1d1m", .seconds(86_460), true),
    ])
    func `a period with minutes written as m is marked as ambiguous`(
        text: String,
        duration: Duration,
        isAmbiguous: Bool
    ) {
        #expect(PeriodArgument(text)?.duration == duration)
        #expect(PeriodArgument(text)?.isAmbiguous == isAmbiguous)
    }

    @Test(
        arguments: [
            ("1970-01-01", 0), ("1970-01-01 00:00:30", 30_000_000),
            ("1970-01-01 01:00", 3_600_000_000),
            ("today", 0), ("yesterday", -86_400_000_000), ("1970-01-02T00:00:00Z", 86_400_000_000),
            ("1970-01-01T01:00:00+01:00", 0), ("1970-01-01T00:00:00.5Z", 500_000),
            ("1970-01-01T00:00:00.123456789-00:01", 60_123_456), ("10s", 90_000_000),
        ] as [(String, Int64)]
    )
    func `a time is a date, a timestamp or a duration before now`(text: String, microseconds: Int64)
    {
        let now = Instant(microseconds: 100_000_000)
        #expect(TimeArgument(text)?.instant(from: now).microseconds == microseconds)
    }

    @Test(
        arguments: [
            ("1970-01-01", 86_400_000_000), ("today", 86_400_000_000), ("yesterday", 0),
            ("1970-01-01 00:00", 0), ("1970-01-01T00:00:00Z", 0), ("10s", 90_000_000),
        ] as [(String, Int64)]
    )
    func `a period until a day includes it`(text: String, microseconds: Int64) {
        let now = Instant(microseconds: 100_000_000)
        #expect(TimeArgument(text)?.end(from: now).microseconds == microseconds)
    }

    @Test func `a local time that occurs twice is the first one, and one that is skipped is later`()
    {
        // Central European Time.
        func offset(_ instant: Instant) -> Duration {
            let isSummer = ("2026-03-29T01:00:00.000000Z"..<"2026-10-25T01:00:00.000000Z")
                .contains("\(instant)")
            return .seconds(isSummer ? 7200 : 3600)
        }
        for (shown, meant) in [
            ("2026-10-25T01:59:00", "2026-10-24T23:59:00"),
            ("2026-10-25T02:00:00", "2026-10-25T00:00:00"),
            ("2026-10-25T02:59:00", "2026-10-25T00:59:00"),
            ("2026-10-25T03:00:00", "2026-10-25T02:00:00"),
            ("2026-10-26T00:00:00", "2026-10-25T23:00:00"),
            ("2026-03-29T01:59:00", "2026-03-29T00:59:00"),
            ("2026-03-29T02:30:00", "2026-03-29T01:30:00"),
            ("2026-03-29T03:00:00", "2026-03-29T01:00:00"),
        ] {
            let time = Instant(shown + ".000000Z")
            let found = time.map { LocalTime.instant(shownAs: $0, offset: offset) }
            #expect(found == Instant(meant + ".000000Z"), "\(shown)")
        }
    }

    @Test(arguments: [
        "tomorrow", "2026-11-20 ", "2026-11-20 9:00", "2026-11-20 24:01", "2026-11-20  09:00",
        "2026-02-30", "2026-11-20T25:00:00Z", "2026-11-20T12:00:00",
        "2026-11-20 12:00:00Z", "2026-11-20T12:00:00.Z", "2026-11-20T12:00:00+1:00",
        "2026-11-20T12:00:00+24:00", "20-11-2026",
    ])
    func `any other text is not a time`(text: String) {
        #expect(TimeArgument(text) == nil)
    }

    @Test(arguments: [
        (["--json", "list"], ["list", "--json"]),
        (
            ["--store", "sqlite:x", "-v", "show", "id"],
            ["show", "--store", "sqlite:x", "-v", "id"]
        ),
        (["--wait=1s", "abort", "id"], ["abort", "--wait=1s", "id"]),
        (["--json", "sandbox", "order"], ["sandbox", "order", "--json"]),
        (["list", "--json"], ["list", "--json"]), (["--version"], ["--version"]),
        (["--store"], ["--store"]), (["--json"], ["--json"]), ([], []),
        (["--unknown", "list"], ["--unknown", "list"]),
    ])
    func `options before the command are moved after it`(before: [String], after: [String]) {
        #expect(ArgumentOrder.commandFirst(before) == after)
    }

    @Test(arguments: [
        ("https://x/secret", true), ("+46739000001", true), ("eyJhbGciOiJIUzI1NiJ9.e30", true),
        ("476173", true), ("swish", false), ("--allow-insecure-loopbacks", false), ("a-12", false),
    ])
    func `arguments that look like URLs, numbers or tokens count as possible secrets`(
        text: String,
        isSecret: Bool
    ) {
        #expect(SecretArguments.mayBeSecret(text) == isSecret)
    }

    @Test(arguments: [
        ("2026-11-23T09:00", true), ("2026-11-23T09:00:00.123456+1:00", true), ("soon", true),
        ("20261123", true), ("23.11.2026 9:00", true), ("10x", true), ("", true),
        ("https://x/secret", false), ("+46739000001", false), ("4761-7390-0101-0416", false),
        ("eyJhbGciOiJIUzI1NiJ9.e30.QnVyaWVkIGluIHRoZSBnYXJkZW4", false), ("a\nb", false),
    ])
    func `a refused time is shown, unless it may have been meant for another option`(
        text: String,
        isShown: Bool
    ) throws {
        let message = "The value '\(text)' is invalid for '--since <time>'"
        let time = try #require(InvalidValue(message: message))
        #expect(time.shown == (isShown ? text : nil))
        #expect(time.hint == TimeArgument.forms)
        let arguments = ["list", "--since=" + text]
        let masked = SecretArguments.masked(message, arguments: arguments, except: time.shown)
        #expect(!isShown || masked == message)
        #expect(InvalidValue(message: "The value '\(text)' is invalid for '--limit <n>'") == nil)
    }

    @Test func `a telephone number may be written in groups, with its country code`() throws {
        for text in ["+46739000001", "+46 73-900 00 01", "+46 (0)73 900 00 01"] {
            #expect(try SessionArgument.msisdn(text).number == "+46739000001", "\(text)")
        }
        for text in [
            "0739000001", "073-900 00 01", "0046 73 900 00 01", "+46 (073) 900 00 01", "+46 73 x",
            "",
        ] {
            #expect(throws: Failure.self) { try SessionArgument.msisdn(text) }
        }
    }

    @Test func `a refused amount is shown, with the forms that are accepted`() throws {
        for text in ["799:- SEK", "799,00 kr", "1.299.50 SEK", "12 34,00 SEK"] {
            #expect(AmountArgument(argument: text) == nil, "\(text)")
            let message = "The value '\(text)' is invalid for '--amount <amount>'"
            let amount = try #require(InvalidValue(message: message))
            #expect(amount.hint == AmountArgument.forms)
            #expect(amount.shown == text)
        }
        for form in ["649.00 SEK", "1 299,50 SEK", "64900"] {
            #expect(AmountArgument.forms.contains(form))
            #expect(AmountArgument(argument: form) != nil, "\(form)")
        }
        for (text, expected) in [
            ("1,299.50 SEK", 129_950), ("1.299,50 SEK", 129_950), ("1 299,50 SEK", 129_950),
            ("SEK 1,234,567.00", 123_456_700), ("799 SEK", 79_900),
        ] as [(String, Amount)] {
            let amount = try #require(AmountArgument(argument: text), "\(text)")
            #expect(try amount.value(in: "SEK", "amount") == expected, "\(text)")
        }
    }

    @Test func `the forms in the hints for times are accepted`() {
        for form in ["today", "2026-11-20", "2026-11-20 09:00", "2026-11-20T09:00:00Z", "1d"] {
            #expect(TimeArgument.forms.contains(form) && TimeArgument(form) != nil, "\(form)")
        }
        for form in ["500ms", "2h30m", "1d"] {
            #expect(DurationArgument.forms.contains(form) && DurationArgument(form) != nil)
        }
        for form in ["90d", "12h", "30min"] {
            #expect(PeriodArgument.forms.contains(form) && PeriodArgument(form) != nil)
        }
    }

    @Test(.feature("I-02"), arguments: ["myshop", "my-shop", "x.y+z"])
    func `an app's own scheme is accepted as callback scheme`(text: String) {
        #expect(CallbackScheme(text) != nil)
    }

    @Test(arguments: ["", "https", "HTTP", "1shop", "my shop", "shop:", "javascript", "ä"])
    func `a web scheme or a malformed one is refused as callback scheme`(text: String) {
        #expect(CallbackScheme(text) == nil)
    }
}
