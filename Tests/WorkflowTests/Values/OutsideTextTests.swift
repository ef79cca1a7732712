import TestSupport
import Testing

@testable import EventLog
@testable import SwedbankPay

@Suite(.duty("C-04")) struct OutsideTextTests {
    private let keys: SessionKeys

    init() throws {
        keys = try #require(SessionKeys(dataKey: [UInt8](repeating: 7, count: 32)))
    }

    @Test(
        arguments: [
            "The card was declined.", "Kortet nekades: försök igen", "Amount 1 500,00 SEK",
            "Operation not allowed for state Ready", "100% sure", "error-code AB12-CD34", "",
        ])
    func `text without a secret stays readable`(text: String) {
        var secrets = SecretTable()
        #expect(OutsideTextScreen.text(text, keys: keys, secrets: &secrets) == .plain(text))
        #expect(secrets.count == 0)
    }

    @Test(
        arguments: [
            "see https://api.payex.com/x", "swish://paymentrequest", "number +46 73-900 00 01",
            "PAN 4761 7390 0101 0416", "PAN 4761.7390.0101", "١٢٣٤٥٦٧",
            "token 0a1b2c3d4e5f60718293 refused", "eyJhbGciOiJIUzI1NiJ9abc", "anna@shop.example",
            "line\nbreak", "bell\u{7}", "hidden\u{202E}text", "https%3A%2F%2Fhost",
        ])
    func `text that may hold a secret is sealed`(text: String) {
        var secrets = SecretTable()
        guard case .sealed(let sealed) = OutsideTextScreen.text(text, keys: keys, secrets: &secrets)
        else {
            Issue.record("it was left in the clear")
            return
        }
        #expect(secrets[sealed] == text)
    }

    @Test(.guarantee(.noSecretOutside))
    func `text that quotes a secret of the request is sealed`() {
        var secrets = SecretTable()
        let text = "no such card: visagold"
        #expect(OutsideTextScreen.isHarmless(text))
        let screened = OutsideTextScreen.text(
            text,
            keys: keys,
            secrets: &secrets,
            known: ["", "visagold"]
        )
        #expect(screened == .sealed(Sealed(fingerprint: keys.fingerprint(of: text))))
    }

    @Test func `long text is cut to its bound`() {
        var secrets = SecretTable()
        let long = String(repeating: "no ", count: 2000)
        #expect(
            OutsideTextScreen.text(long, keys: keys, secrets: &secrets)
                == .plain(String(long.prefix(OutsideTextScreen.maximumPlainCharacters)))
        )
        let sealed = OutsideTextScreen.text(long + "://", keys: keys, secrets: &secrets)
        guard case .sealed(let value) = sealed else {
            Issue.record("it was left in the clear")
            return
        }
        #expect(secrets[value]?.count == OutsideTextScreen.maximumSealedCharacters)
    }

    @Test func `the type of a problem stays readable unless it could carry a token`() {
        let prefix = ProblemCatalogue.typePrefix
        #expect(OutsideTextScreen.isProblemType(prefix + "creditcard/3dsecureacquirergatewayerror"))
        #expect(OutsideTextScreen.isProblemType("about:blank"))
        #expect(!OutsideTextScreen.isProblemType(prefix + "0a1b2c3d4e5f60718293"))
        #expect(!OutsideTextScreen.isProblemType(prefix + "x?token=1"))
        #expect(!OutsideTextScreen.isProblemType("https://user@host/x"))
        #expect(!OutsideTextScreen.isProblemType(""))
    }
}
