import Testing
import WorkflowTesting

@testable import EventLog
@testable import SwedbankPay

/// What is reported to the PSP about a payment, and what is not.
@Suite struct EventLoggingTests {
    /// Returns the messages of a payment, one in each line.
    private func lines(of spec: DeciderSpec) -> [String] { told(spec).map(\.line) }

    private func told(_ spec: DeciderSpec) -> [Beacon] {
        var projection = EventLogging(session: spec.state.session)
        var beacons: [Beacon] = []
        for (index, entry) in spec.log.enumerated() {
            beacons += projection.apply(
                RecordedEvent(
                    stream: spec.state.session,
                    sequence: SequenceNumber(index) + 1,
                    at: entry.at,
                    event: entry.event,
                    metadata: EventMetadata(build: "1", catalogue: "1", cause: "test", node: "n")
                )
            )
        }
        return beacons
    }

    @Test func `a Swish payment is reported from its opening to its completion`() {
        let spec = payment().ready()
            .when(.attempt(.swish(msisdn: nil))).when(
                response: Snapshot.withSwish.expanding(.swish)
            )
            .when(response: .swishToLaunch)
        let launched = spec.when(client: .launched)
            .when(.returned(.original)).when(response: .paid)
        launched.ended(.completed)
        let actions = told(launched).map(\.action)
        #expect(actions.first == .methodInvoked)
        let names = told(launched).compactMap(\.method?.name)
        #expect(
            names == [
                "startPaymentSession", "paymentSessionFetched", "makePaymentAttempt",
                "paymentSessionComplete",
            ]
        )
        let lines = lines(of: launched)
        #expect(
            lines.contains(
                "LaunchClientApp callbackUrl=shop.example/pay clientAppLaunchUrl=swish://"
                    + " launchSucceeded=true"
            ),
            "\(lines)"
        )
        #expect(lines.contains("ClientAppCallback callbackUrl=shop.example/pay"), "\(lines)")
        #expect(actions.filter { $0 == .httpRequest }.count == launched.requests.count)
    }

    @Test func `messages have the order and the times of the log`() {
        let beacons = told(payment().ready())
        #expect(beacons.map(\.sequence) == beacons.map(\.sequence).sorted())
        #expect(beacons.first?.created.millisecondText == "2026-11-20T12:00:00.000Z")
        #expect(beacons.first?.sequence == 1)
    }

    @Test
    func `a request is reported with its operation, status and duration, but not its full URL`() {
        let spec = payment().expanded(SwishTests.elsewhere).when(response: .swishUnderWay)
        let requests = told(spec).filter { $0.action == .httpRequest }
        #expect(requests.count == spec.requests.count)
        let start = requests.last
        let href = Snapshot.withSwish.expanding(.swish).operation(.startPaymentAttempt, of: .swish)?
            .href
        #expect(
            start?.request?.url
                == "https://api.psp.example/start-payment-attempt/"
                + (href?.fingerprint.hexadecimal.prefix(12) ?? "")
        )
        #expect(start?.request?.method == "POST")
        #expect(start?.request?.status == 200)
        #expect(start?.durationMilliseconds == 50)
        let reading = requests.first
        #expect(reading?.request?.method == "GET")
        #expect(reading?.request?.url.hasPrefix("https://api.psp.example/session/") == true)
    }

    @Test
    func `a phone number and a token are reported as fingerprints, a card by its last 4 digits`() {
        let number = Sealed.sample("+46739000001")
        let swish = payment().ready().when(.attempt(.swish(msisdn: number)))
        let mark = number.fingerprint.hexadecimal.prefix(12)
        #expect(
            lines(of: swish).last
                == "SDKMethodInvoked makePaymentAttempt true instrument=Swish msisdn=\(mark)"
        )
        let card = lines(of: payment().ready().when(.attempt(.card(rank: 1)))).last ?? ""
        #expect(card.hasPrefix("SDKMethodInvoked makePaymentAttempt true instrument=CreditCard"))
        let words = card.split(separator: " ").map(String.init)
        let token = Sealed.sample("token-of-card-1").fingerprint.hexadecimal.prefix(12)
        #expect(words.contains("paymentToken=\(token)"), "\(card)")
        #expect(!card.contains("token-of-card"))
        // The offer has six digits and a mask; the last four are reported.
        #expect(words.contains("cardNumber=1416"), "\(card)")
        #expect(card.contains("cardExpiryYear="))
    }

    @Test func `a failed request is reported with its error code`() {
        let failed = payment().when(.open(.sample())).when(outcome: .lost)
        let line = lines(of: failed).last ?? ""
        #expect(line.hasPrefix("HttpRequest GET https://api.psp.example/session/"), "\(line)")
        #expect(line.contains("errorCode="), "\(line)")
    }

    @Test func `session problems and engine problems are reported under different names`() {
        let declined = payment().ready()
            .when(.returned(.original))
            .when(response: Snapshot.withSwishAndCard.with(.sample(acknowledge: "ack")))
        #expect(
            lines(of: declined).contains { $0.hasPrefix("SDKCallbackInvoked sessionProblem") },
            "\(lines(of: declined))"
        )
        let refused = ProviderResponse.Outcome.refused(409)
        let stuck = payment().when(.open(.sample())).when(outcome: refused).when(outcome: refused)
        #expect(
            lines(of: stuck).last?.hasPrefix(
                "SDKCallbackInvoked sdkProblemOccurred true problem=paymentSessionAPIRequestFailed"
            ) == true,
            "\(lines(of: stuck))"
        )
    }

    @Test func `a challenge is reported with its duration and whether it returned a result`() {
        let asked = payment().ready().when(.attempt(.card(rank: 1)))
            .when(response: Snapshot.withCard.expanding(.creditCard)).when(response: .challenging())
        let done = asked.when(client: .shown)
            .when(client: .challengeCompleted(cRes: .sample("cres")))
        let lines = lines(of: done)
        #expect(lines.contains("SDKCallbackInvoked show3DSecureViewController true"), "\(lines)")
        #expect(
            lines.contains { $0.hasPrefix("SCARedirectResult POST") && $0.contains("=true") },
            "\(lines)"
        )
        #expect(told(done).last { $0.action == .scaRedirectResult }?.durationMilliseconds != nil)
    }

    @Test func `the PSP's page is reported when it is requested, shown and dismissed`() {
        let left = payment().ready().when(.menu(.menu)).when(client: .canceled)
        let lines = lines(of: left)
        #expect(
            lines.contains("SDKMethodInvoked createSwedbankPaySDKController true mode=menu"),
            "\(lines)"
        )
        #expect(lines.contains("SDKCallbackInvoked showSwedbankPaySDKController true"), "\(lines)")
        let closed = "SDKCallbackInvoked dismissSwedbankPaySDKController true outcome=canceled"
        #expect(lines.contains(closed), "\(lines)")
    }

    @Test func `messages go to the newest event-logging URL that a response contained`() {
        var projection = EventLogging(session: payment().state.session)
        func apply(_ snapshot: Snapshot, _ place: SequenceNumber) {
            _ = projection.apply(
                RecordedEvent(
                    stream: projection.state.session,
                    sequence: place,
                    at: ManualClock.noon,
                    event: .fetched(Fetched(cause: .session, digest: .zero, snapshot: snapshot)),
                    metadata: EventMetadata(build: "1", catalogue: "1", cause: "test", node: "n")
                )
            )
        }
        #expect(projection.href == nil)
        apply(Snapshot(operations: [.sample(.eventLogging, at: "log-1")]), 1)
        let first = projection.href
        apply(.paid, 2)
        #expect(projection.href == first)
        apply(Snapshot(operations: [.sample(.eventLogging, at: "log-2")]), 3)
        #expect(projection.href != first)
    }

    @Test func `messages never contain a secret, and the same log always gives the same messages`()
    {
        for seed in 0..<UInt64(200) {
            var sequence = CommandSequence(seed: seed)
            var start = payment()
            start.foldsEachStep = false
            let spec = start.when(random: &sequence, count: 60)
            let beacons = told(spec)
            #expect(beacons == told(spec), "seed \(seed)")
            for beacon in beacons {
                let texts = beacon.values.map(\.text) + [beacon.request?.url ?? ""]
                #expect(!texts.contains { $0.contains("+467") || $0.contains("id=1") }, "\(seed)")
            }
        }
    }
}

extension Beacon {
    /// The whole message, in one line.
    fileprivate var line: String {
        var words = [action.rawValue]
        if let method { words += [method.name, "\(method.succeeded)"] }
        if let request {
            words += [request.method, request.url, request.status.map { "\($0)" } ?? "-"]
        }
        return (words + values.map { "\($0.name)=\($0.text)" }).joined(separator: " ")
    }
}
