internal import Adapters
internal import CBareClient
internal import HTTPTypes
internal import Measuring

/// HTTP requests through the transport.
enum HTTPRow {
    static let name = "http"
    static let concurrency = 64

    static func measure(_ options: Options, in directory: String) async throws -> Row {
        let rounds = options.count(8, quick: 3)
        let times = options.count(20_000, quick: 5000)
        let nginx = try NginxProcess(in: directory, document: NginxProcess.document)
        defer { nginx.stop() }
        let url = nginx.url
        let loop = try UVLoop(name: "bench")
        let transport = EngineHost.transport(on: loop, connections: concurrency)
        try await waitUntilReachable(url, transport)
        var rates: [Double] = []
        var bareRates: [Double] = []
        let pair = try await Alternation(rounds: rounds) {
            let start = (Machine.seconds(), Machine.processorSeconds())
            try await sharing(times, among: concurrency, on: loop) { _ in
                let response = try await transport.perform(TransportRequest(method: .get, url: url))
                guard response.status == 200 else {
                    throw ChildProcess.Failure(description: "nginx refused")
                }
            }
            rates.append(Double(times) / (Machine.seconds() - start.0))
            return (Machine.processorSeconds() - start.1) / Double(times) * 1e6
        } baseline: {
            let start = (Machine.seconds(), Machine.processorSeconds())
            var result = bare_result()
            guard bare_client_run(url, Int32(concurrency), times, &result) == 0,
                result.succeeded == times
            else { throw ChildProcess.Failure(description: "the bare client failed") }
            bareRates.append(Double(times) / (Machine.seconds() - start.0))
            return (Machine.processorSeconds() - start.1) / Double(times) * 1e6
        }
        await transport.shutdown()
        loop.shutdown()
        var row = Row(
            name: name,
            what: "HTTP through the transport, 64 concurrent, keep-alive, 3 KB JSON from nginx",
            baseline: "a bare C client on libcurl and libuv"
        )
        row.add("ours", pair.oursMedian, "µs CPU a request")
        row.add("baseline", pair.baselineMedian, "µs CPU a request")
        row.add("ours", rates.median, "requests/s")
        row.add("baseline", bareRates.median, "requests/s")
        row.expect("of its CPU a request", pair.ratio, atMost: 1.3, "×")
        return row
    }

    private static func waitUntilReachable(
        _ url: String,
        _ transport: CurlTransport
    ) async throws {
        for _ in 0..<200 {
            if let response = try? await transport.perform(
                TransportRequest(method: .get, url: url)
            ),
                response.status == 200
            {
                return
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw ChildProcess.Failure(description: "nginx did not start")
    }
}
