import HTTPTypes
import Testing

@testable import Adapters

@Suite struct OutboxReceiverTests {
    private func outcome(
        _ headers: [(name: String, value: String)],
        over transport: ScriptedTransport
    ) async -> OutboxReceiver.Outcome {
        await OutboxReceiver(
            url: "https://hooks.example/payments",
            transport: transport,
            options: OutboxOptions(headers: headers)
        ).send([])
    }

    @Test func `a batch carries its content type and the additional headers`() async {
        let transport = ScriptedTransport(status: 200)
        guard case .taken = await outcome([("Authorization", "Bearer a")], over: transport) else {
            Issue.record("the batch was not taken")
            return
        }
        #expect(
            transport.asked.map { $0.headers.map(\.description) } == [
                ["Content-Type: \(OutboxReceiver.contentType)", "Authorization: Bearer a"]
            ]
        )
    }

    @Test(arguments: [
        ("Authorization", "Bearer a\n", "header value"), ("X Hook", "1", "header name"),
    ])
    func `a delivery with a header that cannot be sent is refused`(
        name: String,
        value: String,
        part: String
    ) async {
        let transport = ScriptedTransport(status: 200)
        guard case .refused(let reason) = await outcome([(name, value)], over: transport) else {
            Issue.record("the batch was not refused")
            return
        }
        #expect(reason == "http.refused-request (\(part)), notSent")
        #expect(transport.asked.isEmpty)
    }
}
