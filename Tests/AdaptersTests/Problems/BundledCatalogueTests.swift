import EventLog
import Foundation
import SwedbankPay
import TestSupport
import Testing

@testable import SwedbankPayHTTP

@Suite(.feature("N-30")) struct BundledCatalogueTests {
    /// Reads the data in an independent way.
    private static func rows() -> [[String: Any]] {
        let json = try? JSONSerialization.jsonObject(with: Data(PackageResources.problems_json))
        return json as? [[String: Any]] ?? []
    }

    @Test func `every documented problem is matched by its own advice`() throws {
        let rows = Self.rows()
        #expect(rows.count == 112 && ProblemCatalogue.bundled.rows.count == rows.count)
        for row in rows {
            let type = try #require(row["type"] as? String)
            let advice = ProblemCatalogue.bundled.advice(
                type: type,
                status: row["status"] as? Int,
                instrument: row["family"] as? String == "swish" ? .swish : .card
            )
            #expect(advice.isKnown, "\(type)")
            #expect(advice.actor.rawValue == row["actor"] as? String, "\(type)")
            #expect(advice.isRetryable == row["retrySameRequest"] as? Bool, "\(type)")
            #expect(advice.newAttempt.rawValue == row["newAttempt"] as? String, "\(type)")
            #expect(advice.retryClass.rawValue == row["class"] as? String, "\(type)")
            #expect(advice.asksFirst == row["askFirst"] as? Bool, "\(type)")
            let seconds = try #require(row["delaySeconds"] as? Int)
            #expect(advice.delay == .seconds(seconds), "\(type)")
            #expect(advice.cap.tries == row["maximumTries"] as? Int, "\(type)")
            #expect(advice.payerMessage == row["payerMessage"] as? String, "\(type)")
            #expect(advice.operatorMessage == row["operatorMessage"] as? String, "\(type)")
            #expect(OutsideTextScreen.isProblemType(type), "\(type) would not stand in a log")
        }
    }

    @Test func `no documented problem was lost or changed`() throws {
        // The policy is this project's own; everything else is as the PSP documents it.
        let policy = [
            "class", "askFirst", "delaySeconds", "maximumTries", "maximumSeconds", "chargeAgain",
            "chargeLimits",
        ]
        guard case .array(var rows) = try JSONValue(parsing: PackageResources.problems_json) else {
            return #expect(Bool(false), "no list")
        }
        for index in rows.indices {
            for name in policy { rows[index][name] = nil }
        }
        let digest = HashChain.hash(.zero, try JSONValue.array(rows).canonical())
        #expect(
            digest.hexadecimal == "3a65e2dec1c86d8ea4ddad7416ae1acbd1dfde31d4139fe5d8e7f60695057229"
        )
    }

    @Test(arguments: Instrument.allCases.filter { $0 != .swish })
    func `problems of other instruments never mention Swish`(instrument: Instrument) {
        for (type, status) in [
            ("usercancelled", 403), ("configerror", 403), ("inputerror", 400), ("systemerror", 500),
        ] {
            func advice(_ instrument: Instrument) -> ProblemAdvice {
                ProblemCatalogue.bundled.advice(
                    type: ProblemCatalogue.typePrefix + type,
                    status: status,
                    instrument: instrument
                )
            }
            let (own, swish) = (advice(instrument), advice(.swish))
            #expect(own.isKnown && !own.payerMessage.contains("Swish"), "\(type)")
            #expect(!own.operatorMessage.contains("Swish"), "\(type)")
            guard type.hasPrefix("user") || type.hasPrefix("config") else { continue }
            #expect(swish.payerMessage.contains("Swish"))
            #expect(own.actor == swish.actor && own.newAttempt == swish.newAttempt)
        }
    }

    @Test func `messages for operators and payers are about the payment, not its documentation`() {
        let notes = ["portal", "spell", "documented", "SDK", " URI", "example payload"]
        // What a payer reads is about neither the protocol nor those who run it.
        let terms = ["PSP", "API", "HTTP", "token", "payload", "merchant", "operator"]
        for row in ProblemCatalogue.bundled.rows {
            let (advice, slug) = (row.advice, row.slug)
            for note in notes {
                let found = advice.operatorMessage.range(of: note, options: .caseInsensitive)
                #expect(found == nil, "\(slug): \(note)")
            }
            for note in notes + terms {
                let found = advice.payerMessage.range(of: note, options: .caseInsensitive)
                #expect(found == nil, "\(slug): \(note)")
            }
        }
    }

    @Test func `a retryable row has a delay and two to six tries, any other row one try`() {
        for row in ProblemCatalogue.bundled.rows {
            let advice = row.advice
            if advice.isRetryable {
                #expect(advice.delay >= .seconds(1) && (2...6).contains(advice.cap.tries ?? 0))
                #expect(advice.asksFirst || row.status ?? 500 < 500, "\(row.slug)")
                #expect(row.source != nil)
            } else {
                #expect(advice.cap == RetryCap(tries: 1), "\(row.slug)")
            }
        }
    }

    @Test func `the catalog's version follows its data`() throws {
        let bundled = ProblemCatalogue.bundled.version
        #expect(bundled.wholeMatch(of: /problems-[0-9a-f]{12}/) != nil)
        let changed = try ProblemCatalogue(parsing: PackageResources.problems_json + [0x0A])
        #expect(changed.version != bundled && changed.rows == ProblemCatalogue.bundled.rows)
    }

    @Test func `damaged data is refused as a whole`() {
        for data in ["", "{}", "[{\"slug\":\"x\"}]"] {
            #expect(throws: (any Error).self) { try ProblemCatalogue(parsing: Array(data.utf8)) }
        }
        let text = String(decoding: PackageResources.problems_json, as: UTF8.self)
        let wrong = text.replacing("\"actor\": \"psp\"", with: "\"actor\": \"nobody\"")
        #expect(throws: (any Error).self) { try ProblemCatalogue(parsing: Array(wrong.utf8)) }
    }
}
