import Foundation
import Testing

@testable import EventLog
@testable import SwedbankPay

/// Every text that can be outside a seal is either masked or has a reason not to be.
@Suite struct MaskableMembersTests {
    private typealias Masks = MaskableMembers<SessionEvent>

    /// Texts that rules read, names of closed or screened sets, and identifiers, by the end of
    /// their path.
    ///
    /// A new member belongs here or in the table of those that may be masked; text written by
    /// people belongs there.
    private static let namesAndIdentities: Set<String> = [
        // Identifiers and times of our own.
        "at", "stream", "type", "action", "effect", "session", "checkout", "retryAt", "readAt",
        "trace",
        "cause", "build", "catalogue", "digest", "key", "fp",
        // Names of kinds, states and methods, which rules read; the PSP's are screened to be names
        // when they are recorded.
        "rel", "kind", "origin", "actor", "instrument", "instruments", "paymentMethod",
        "paymentMethods", "method", "mode", "outcome", "reason", "evidence", "indicator", "form",
        "place", "reach", "result", "status", "content", "code", "gateway", "generation",
        "redirects", "purpose", "transactionType", "availableInstruments", "enabledMethods",
        "instrumentMode", "cardBrands", "merchantCapabilities", "allowedCardAuthMethods",
        "environment", "integration", "traceId", "contentType", "scheme", "name", "value",
        "callbackScheme",
        // The merchant's own list of issuers' hosts.
        "redirectHosts",
        // The state of the money: a word from a fixed list.
        "money", "verdict",
        // Codes of languages, countries and currencies.
        "culture", "language", "shippingCountries", "currency",
        // The PSP's path of the order, which is useless without the merchant's access token.
        "id", "order",
    ]

    @Test func `every member that may contain free text is in the table of maskable members`()
        throws
    {
        var events = try RandomEvents(seed: 0x5EED_0650)
        var seen: Set<String> = []
        for type in EventType.allCases {
            let paths = Masks.paths(of: type.name, version: type.version)
            let name = type.name
            // The PSP's responses have many members that are rarely present.
            for _ in 0..<([.fetched, .orderFetched].contains(type) ? 900 : 60) {
                let encoded = EventCodec.encode(events.record(events.event(type)))
                let value = try JSONValue(parsing: encoded.canonical)
                for path in Self.texts(in: value) {
                    if paths[path] != nil || path.hasPrefix("data.metadata.") {
                        seen.insert("\(name) \(path)")
                        continue
                    }
                    let last = path.split(separator: ".").last.map(String.init) ?? path
                    #expect(
                        Self.namesAndIdentities.contains(last)
                            || ["canceled.by", "failed.by", "callbackReceived.by"].contains(
                                "\(name).\(last)"
                            ),
                        "\(name): \(path) is neither maskable nor known to be harmless"
                    )
                }
            }
        }
        // And the table contains no member that no record has.
        for type in EventType.allCases {
            for path in Masks.paths(of: type.name, version: type.version).keys
            where path != "data.metadata" {
                let isSeen = seen.contains("\(type.name) \(path)")
                #expect(isSeen, "\(type.name) never has \(path)")
            }
        }
    }

    @Test func `an event of an unknown type or version may be masked in any text of its data`() {
        let unknown = Masks.paths(of: "somethingElse", version: 1)
        #expect(unknown.keys.sorted() == ["data", "meta.node"])
        #expect(Masks.paths(of: "opened", version: 2) == unknown)
        #expect(Masks.paths(of: "problem", version: 1)["data"] == nil)
        #expect(Masks.paths(of: "failed", version: 1) == Masks.paths(of: "failed", version: 2))
        #expect(Masks.paths(of: "failed", version: 1)["data.host"] == .address)
        #expect(Masks.paths(of: "failed", version: 3) == unknown)
    }

    /// Returns the paths of all texts, without the indices of lists.
    private static func texts(in value: JSONValue, at path: String = "") -> Set<String> {
        switch value {
        case .string: return [path]
        case .array(let values):
            return values.reduce(into: []) { $0.formUnion(texts(in: $1, at: path)) }
        case .object(let members):
            if value["$sealed"] != nil { return [] }
            return members.reduce(into: []) { found, member in
                let place = path.isEmpty ? member.name : "\(path).\(member.name)"
                found.formUnion(texts(in: member.value, at: place))
            }
        case .null, .bool, .integer: return []
        }
    }
}
