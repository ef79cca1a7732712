import Foundation
import Testing

@testable import EventLog

/// A secret in a text of the merchant is found whatever surrounds it.
@Suite struct PlantedSecretTests {
    private static let seeds: [UInt64] = (0..<8).map { 0x5EED_0600 + $0 }

    private struct Garden {
        var random: SeededRandom

        mutating func digits(_ count: Int) -> String {
            String((0..<count).map { _ in Character("\(Int.random(in: 0...9, using: &random))") })
        }

        /// Returns a card number of an existing kind, with its check digit.
        mutating func card() -> String {
            let kinds = [
                ("4", 16), ("4", 13), ("4", 19), ("55", 16), ("2221", 16), ("37", 15), ("6011", 16),
            ]
            let (prefix, length) = kinds.randomElement(using: &random) ?? ("4", 16)
            let body = prefix + digits(length - prefix.count - 1)
            let sum = body.reversed().enumerated().reduce(0) { sum, next in
                let digit = next.element.wholeNumberValue ?? 0
                let value = next.offset % 2 == 0 ? digit * 2 : digit
                return sum + (value > 9 ? value - 9 : value)
            }
            return body + "\((10 - sum % 10) % 10)"
        }

        /// Returns the same with spaces or dashes between groups.
        mutating func grouped(_ digits: String) -> String {
            let mark = [" ", "-", "\u{A0}", "", ""].randomElement(using: &random) ?? ""
            return digits.enumerated().reduce("") { text, next in
                text + (next.offset > 0 && next.offset % 4 == 0 ? mark : "") + String(next.element)
            }
        }

        mutating func telephone() -> String {
            let mobile =
                "7" + ["0", "2", "3", "6", "9"][Int.random(in: 0...4, using: &random)] + digits(7)
            return switch Int.random(in: 0...4, using: &random) {
            case 0: "+46" + mobile
            case 1: "+46 \(mobile.prefix(2)) \(mobile.dropFirst(2))"
            case 2: "0" + mobile
            case 3: "0\(mobile.prefix(2))-\(mobile.dropFirst(2).prefix(3)) \(mobile.suffix(4))"
            default: "+\(Int.random(in: 1...9, using: &random))" + digits(9)
            }
        }

        mutating func token() -> String {
            func part(_ count: Int) -> String {
                Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
                    .base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
                    .replacing("=", with: "")
            }
            return "eyJ" + part(12) + "." + part(24) + "." + part(32)
        }

        /// Returns words, punctuation and numbers as they occur in messages; `isApart` keeps digits
        /// away from the secret.
        mutating func surroundings(isApart: Bool) -> (String, String) {
            let pieces = [
                "order ", "declined", " kortet ", "å", "/", "\"", "\\", "(", ")", ": ", ", ", "#",
                "4711 ", "12 ", "2026-11-20 ", "https://a.se/", "?id=", "€", "\n", "\u{1F600}", "[",
                "0192f0c1-7c1e-7d3a-9b1e-0a1b2c3d4e5f ", "99", "1 234,00 kr ", "e-", "x",
            ]
            func some(_ random: inout SeededRandom) -> String {
                (0..<Int.random(in: 0...5, using: &random))
                    .compactMap { _ in pieces.randomElement(using: &random) }.joined()
            }
            let (before, after) = (some(&random), some(&random))
            return isApart ? (before + "x ", ", x" + after) : (before, after)
        }
    }

    @Test(arguments: seeds)
    func `no card number stays in the clear, whatever text surrounds it`(seed: UInt64) {
        var garden = Garden(random: SeededRandom(seed: seed))
        for _ in 0..<150 {
            let (before, after) = garden.surroundings(isApart: false)
            let card = garden.card()
            expectSealed(garden.grouped(card), before, after, seed)
            expectSealed(garden.grouped(card), isReference: true, before, after, seed)
        }
    }

    @Test(arguments: seeds)
    func `no telephone number stays in the clear, with + anywhere, else apart from other digits`(
        seed: UInt64
    ) {
        var garden = Garden(random: SeededRandom(seed: seed))
        for _ in 0..<150 {
            // Without a plus, digits next to it may make another number of it.
            let number = garden.telephone()
            let (before, after) = garden.surroundings(isApart: !number.hasPrefix("+"))
            expectSealed(number, before, after, seed)
            expectSealed(number, isReference: true, before, after, seed)
        }
    }

    @Test(arguments: seeds)
    func `no signed token stays in the clear`(seed: UInt64) {
        var garden = Garden(random: SeededRandom(seed: seed))
        for _ in 0..<150 {
            let (before, after) = garden.surroundings(isApart: false)
            expectSealed(garden.token(), before, after, seed)
        }
    }

    /// Expects that a text with a secret in it is sealed.
    private func expectSealed(
        _ secret: String,
        isReference: Bool = false,
        _ before: String,
        _ after: String,
        _ seed: UInt64
    ) {
        let text = before + secret + after
        #expect(
            !OutsideTextScreen.isHarmless(own: text, isReference: isReference),
            Comment(rawValue: "seed \(seed): \(text.debugDescription)")
        )
    }
}
