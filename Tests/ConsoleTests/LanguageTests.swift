import Adapters
import EventLog
import Foundation
import Inspection
import LogFixtures
import SwedbankPay
import TestSupport
import Testing

@testable import Console

/// The languages of the console.
@Suite(.feature("S-45")) struct LanguageTests {
    private static let swedish = Words(language: .swedish)

    /// Every message that the rules and the catalogue have for payers, as far as kept logs show it.
    private static func messages() throws -> Set<String> {
        let decider = SessionDecider(catalogue: .bundled)
        var messages: Set<String> = []
        for name in GoldenLogs.names {
            let log = try GoldenLogs.log(in: GoldenLogs.text(name))
            for count in 0...log.events.count {
                let state = log.state(at: SequenceNumber(count))
                if let message = decider.guidance(for: state).message { messages.insert(message) }
            }
        }
        return messages
    }

    @Test func `every message for a payer is in Swedish`() throws {
        let messages = try Self.messages()
        #expect(messages.count > 10)
        let missing = messages.filter { Self.swedish.payerMessage($0).language != .swedish }
        #expect(missing == [])
    }

    @Test func `every message of the catalogue is in Swedish`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(
                path: "Sources/Adapters/SwedbankPayHTTP/Catalogue/problems.json"
            )
        let text = try String(contentsOf: file, encoding: .utf8)
        let messages = text.matches(of: #/"payerMessage": "([^"]*)"/#).map { String($0.1) }
        #expect(messages.count > 70)
        let missing = messages.filter { Self.swedish.payerMessage($0).language != .swedish }
        #expect(missing == [])
    }

    @Test func `most sentences of stories are in Swedish, and none is lost`() throws {
        var (all, english) = (0, 0)
        for name in GoldenLogs.names {
            let log = try GoldenLogs.log(in: GoldenLogs.text(name))
            let story = Story(
                of: log.session,
                events: log.events,
                by: SessionDecider(catalogue: .bundled)
            )
            for sentence in story.sentences {
                let told = Self.swedish.told(sentence.fact, in: story, english: "english")
                #expect(!told.text.isEmpty)
                #expect((told.text == "english") == (told.language == .english))
                // Words that only an English sentence has.
                let words = told.text.split { !$0.isLetter }
                let found = words.filter {
                    ["the", "was", "after", "its"].contains($0.lowercased())
                }
                #expect(found == [], "\(name): \(told.text)")
                all += 1
                if told.language == .english { english += 1 }
            }
        }
        #expect(all > 100)
        #expect(english * 4 <= all, "\(english) of \(all) are English")
    }

    @Test func `a message that has no translation stays as it is`() {
        let own = "The parrot declined. Please try again."
        #expect(Self.swedish.payerMessage(own) == (own, .english))
        #expect(Words(language: .english).payerMessage(own) == (own, .english))
    }

    @Test func `amounts are written as the language does`() {
        #expect(Self.swedish.amount(64_900, "SEK") == "649,00\u{A0}SEK")
        #expect(Words(language: .english).amount(64_900, "SEK") == "649.00\u{A0}SEK")
        #expect(Self.swedish.amount(649, "JPY") == "649\u{A0}JPY")
        #expect(Self.swedish.amount(5, "ABC").contains("minsta enheten"))
    }

    @Test(arguments: MoneyState.Standing.allCases)
    func `each standing of money has a sign and words of its own`(standing: MoneyState.Standing) {
        for language in Language.allCases {
            let words = Words(language: language)
            let others = MoneyState.Standing.allCases.filter { $0 != standing }
            #expect(!others.contains { words.name(of: $0) == words.name(of: standing) })
            #expect(!others.contains { Words.sign(of: $0) == Words.sign(of: standing) })
        }
    }
}
