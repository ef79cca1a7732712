import Testing

@testable import EventLog
@testable import SwedbankPay

/// The URLs of an order, some of them sealed, as the rules compare them.
@Suite struct OrderURLsTests {
    private let keys: SessionKeys

    init() throws {
        let bytes = [UInt8](repeating: 3, count: SessionKeys.dataKeyBytes)
        keys = try #require(SessionKeys(dataKey: bytes))
    }

    @Test(arguments: [
        // The known address, and that of a later response; whether it is the same order's.
        ("https://shop.example/done", "https://shop.example/done", true),
        ("https://shop.example/done", "https://shop.example/done?trace=1", true),
        ("https://shop.example/done?order=7", "https://SHOP.example/done/?order=7", true),
        ("https://shop.example/done?order=7", "https://shop.example/done?order=7&trace=1", true),
        ("https://shop.example/done?order=7", "https://shop.example/done", true),
        ("https://shop.example/done?order=7", "https://shop.example/done?order=8", false),
        ("https://shop.example/done", "https://other.example/done?order=7", false),
    ])
    func `a response is for another order exactly when its complete URL leads elsewhere`(
        known: String,
        told: String,
        isOwn: Bool
    ) {
        var secrets = SecretTable()
        let recorded = PlaintextOrderURLs(complete: known).recorded(with: keys, in: &secrets)
        // Logs of earlier builds have every URL in the clear.
        for before in [recorded, OrderURLs(complete: .plain(known))] {
            var snapshot = Snapshot()
            snapshot.urls = PlaintextOrderURLs(complete: told).recorded(
                knowing: before,
                of: secrets,
                with: keys,
                in: &secrets
            )
            let contradiction = snapshot.contradiction(to: nil, in: nil, urls: before)
            #expect(contradiction == (isOwn ? nil : .payment), "\(before)")
        }
    }

    @Test func `complete and cancel URLs that differ only in the query are told apart`() {
        var secrets = SecretTable()
        let clear = PlaintextOrderURLs(
            complete: "https://shop.example/return",
            cancel: "https://shop.example/return?canceled=1"
        )
        let urls = clear.recorded(with: keys, in: &secrets)
        #expect(urls.complete == "https://shop.example/return" && urls.cancel?.isSealed == true)
        #expect(!urls.cannotTellEnds && urls.clear(in: secrets) == clear)
    }
}
