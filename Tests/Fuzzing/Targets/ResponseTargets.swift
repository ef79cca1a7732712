internal import HTTPTypes

@testable import Adapters
@testable import EventLog
@testable import Inspection
@testable import SwedbankPay
@testable import SwedbankPayHTTP

extension FuzzTarget {
    /// The PSP's response about a session.
    static let snapshot = FuzzTarget(
        name: "snapshot",
        maximumLength: 16_384,
        growths: [
            .repeating(
                #"{"rel":"r","href":"https://h/"},"#,
                after: #"{"paymentSession":{},"operations":["#,
                before: "{}]}"
            ),
            .repeating(
                "aa",
                after: #"{"paymentSession":{"description":""#,
                before: "\"}}"
            ),
            .repeating(
                "é:/",
                after: #"{"paymentSession":{"payeeName":""#,
                before: "\"}}"
            ),
        ],
        check: { bytes throws(Broken) in
            let limits = ResponseLimits()
            guard let json = try? ForeignJSON(parsing: bytes, maximumDepth: limits.depth) else {
                return false
            }
            var reader = SnapshotReader(keys: Keys.keys, limits: limits, known: [Canary.text])
            let snapshot: Snapshot
            do throws(SnapshotRefusal) {
                snapshot = try reader.snapshot(json, knownURLs: nil)
            } catch {
                try Canary.isAbsent(from: "\(error) \(error.code)")
                return false
            }
            try checkBounds(of: snapshot, limits)
            let canonical = SnapshotCodec.canonical(snapshot)
            try hold(CanonicalCheck.isCanonical(canonical), "a snapshot is written canonically")
            let again = try? CanonicalReader.read(canonical) { reader throws(EventDecodingError) in
                try Snapshot.read(from: &reader)
            }
            try hold(again == snapshot, "a snapshot is read back as it was")
            try Secrecy.check(canonical, reader.secrets, besides: addresses(of: snapshot))
            try hold(
                SnapshotCodec.digest(of: snapshot) == HashChain.hash(canonical),
                "the digest is that of the form"
            )
            return true
        }
    )

    private static func checkBounds(
        of snapshot: Snapshot,
        _ limits: ResponseLimits
    ) throws(Broken) {
        let operations =
            snapshot.operations + snapshot.methods.flatMap(\.operations)
            + (snapshot.problem?.acknowledge.map { [$0] } ?? [])
        try hold(snapshot.methods.count <= limits.methods, "the bound on methods is kept")
        try hold(operations.count <= limits.operations, "the bound on operations is kept")
        for operation in operations {
            try hold(operation.tasks.count <= limits.tasks, "the bound on tasks is kept")
            try hold(
                operation.expects.count <= limits.expectations,
                "the bound on expectations is kept"
            )
        }
        try hold(snapshot.urls.hosts.count <= limits.elements, "the bound on hosts is kept")
    }

    /// The values that a snapshot has in the clear by design: the merchant's own URLs, and hosts.
    private static func addresses(of snapshot: Snapshot) -> [String] {
        let urls = snapshot.urls
        let own: [OutsideText?] =
            [urls.complete, urls.cancel, urls.payment, urls.termsOfService] + urls.hosts
        let operations = snapshot.operations + snapshot.methods.flatMap(\.operations)
        let hosts = operations.compactMap { operation -> String? in
            guard case .elsewhere(let host)? = operation.target else { return nil }
            return host
        }
        let schemes = operations.flatMap(\.tasks).compactMap(\.scheme)
        return own.compactMap { $0?.inTheClear } + hosts + schemes
            + [snapshot.particulars.traceID].compactMap(\.self)
    }

    /// The response of the PSP or a backend about an order or a payer's tokens.
    static let order = FuzzTarget(
        name: "order",
        maximumLength: 16_384,
        growths: [
            .repeating(
                #"{"rel":"r","href":"x/../"},"#,
                after: #"{"paymentOrder":{},"operations":["#,
                before: "{}]}"
            ),
            .repeating(
                "../",
                after: #"{"paymentOrder":{},"operations":[{"rel":"r","href":""#,
                before: "\"}]}"
            ),
        ],
        check: { bytes throws(Broken) in
            let limits = ResponseLimits()
            guard let object = try? ResponseObject(parsing: bytes, limits: limits) else {
                return false
            }
            var isAccepted = false
            for gateway in [OrderGateway.psp, .merchantBackend] {
                let reader = OrderResponseReader(
                    limits: limits,
                    address: "https://api.payex.com/psp/paymentorders",
                    gateway: gateway
                )
                if let tokens = (try? PayerTokens(object, reader)) ?? nil {
                    isAccepted = true
                    try Canary.isAbsent(from: "\(tokens) \(tokens.tokens)")
                }
                guard let order = (try? reader.order(object)) ?? nil else { continue }
                isAccepted = true
                try Canary.isAbsent(from: "\(order) \(order.operations)")
                try hold(
                    (order.transactions?.count ?? 0) <= limits.transactions
                        && order.operations.count <= limits.operations + 1,
                    "the bounds of an answer are kept"
                )
                var sealer = OrderSealer(keys: Keys.keys, known: [Canary.text])
                let snapshot = sealer.snapshot(order)
                var writer = CanonicalWriter()
                snapshot.write(to: &writer)
                guard writer.isExact else { continue }
                try hold(CanonicalCheck.isCanonical(writer.bytes), "it is written canonically")
                let again = try? CanonicalReader.read(writer.bytes) {
                    reader throws(EventDecodingError) in try OrderSnapshot.read(from: &reader)
                }
                try hold(again == snapshot, "an order is read back as it was")
            }
            return isAccepted
        }
    )

    /// The body of an error response.
    static let problem = FuzzTarget(
        name: "problem",
        maximumLength: 8192,
        growths: [
            .repeating("a", after: #"{"type":"about:blank","detail":""#, before: "\"}"),
            .repeating("canary-7f3a9c51d2e", after: #"{"detail":""#, before: "\"}"),
            .repeating("é", after: #"{"detail":""#, before: "\"}"),
            .repeating(
                #"{"name":"n","description":"d"},"#,
                after: #"{"problems":["#,
                before: "{}]}"
            ),
        ],
        check: { bytes throws(Broken) in
            let limits = ResponseLimits()
            var secrets = SecretTable()
            let document = ProblemDocument.read(
                bytes,
                keys: Keys.keys,
                secrets: &secrets,
                known: [Canary.text],
                limits: limits
            )
            try hold(bytes.isEmpty == (document.raw == nil), "the body is kept")
            if let raw = document.raw.flatMap({ secrets[$0] }) {
                try hold(raw.utf8.count <= limits.rawBytes, "the bound on bodies is kept")
            }
            for case .plain(let text)? in [document.title, document.detail] {
                try Secrecy.checkPlain(text)
            }
            try Secrecy.checkPlainType(document.type)
            try hold((document.status ?? 100) >= 100, "a status is one")
            var writer = CanonicalWriter()
            document.write(to: &writer)
            let again = try? CanonicalReader.read(writer.bytes) {
                reader throws(EventDecodingError) in
                try ProblemDocument.read(from: &reader)
            }
            try hold(again == document, "a problem is read back as it was")
            for status in [400, 503] {
                let response = TransportResponse(
                    status: status,
                    headers: [.contentType: "application/problem+json"],
                    body: bytes,
                    protocolVersion: "HTTP/1.1",
                    duration: .zero
                )
                try Canary.isAbsent(from: "\(APIProblem(response, limits: limits))")
            }
            for status in [nil, document.status] {
                _ = ProblemCatalogue.bundled.advice(
                    type: document.type,
                    status: status,
                    instrument: .swish
                )
            }
            return document.isWellFormed
        }
    )
}

/// Values that must not appear in the clear.
enum Secrecy {
    /// Checks that sealed values do not appear in the clear.
    static func check(
        _ canonical: [UInt8],
        _ secrets: SecretTable,
        besides open: [String]
    ) throws(Broken) {
        let text = String(decoding: canonical, as: UTF8.self)
        for sealed in SealedPlaces.values(in: canonical) {
            guard let secret = secrets[sealed], secret.utf8.count >= 24,
                !OutsideTextScreen.isHarmless(secret),
                !open.contains(where: { $0.contains(secret) })
            else { continue }
            try hold(!text.contains(secret), "what is sealed is not in the clear as well")
        }
    }

    /// Checks a text that was considered harmless.
    static func checkPlain(_ text: String) throws(Broken) {
        let bytes = Array(text.utf8)
        try hold(!occurs("://", in: bytes), "no address is in the clear")
        try hold(!occurs(Canary.text, in: bytes), "no known secret is in the clear")
        try hold(
            !bytes.contains { $0 < 0x20 || $0 == 0x7F },
            "no control character is in the clear"
        )
        try hold(
            text.unicodeScalars.count <= OutsideTextScreen.maximumPlainCharacters,
            "the bound on texts is kept"
        )
    }

    /// Checks a problem's type, which is a URL by nature.
    static func checkPlainType(_ type: String) throws(Broken) {
        try hold(type.utf8.count <= 256, "the bound on types is kept")
        try hold(!occurs(Canary.text, in: Array(type.utf8)), "no known secret is in the clear")
        try hold(type.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "a type is visible ASCII")
    }

    /// Whether a text occurs as bytes, as a reader of the file would find it.
    static func occurs(_ part: String, in bytes: [UInt8]) -> Bool {
        let part = Array(part.utf8)
        guard bytes.count >= part.count else { return false }
        return (0...bytes.count - part.count).contains { bytes[$0...].starts(with: part) }
    }
}
