internal import Adapters
internal import Foundation
internal import Measuring
internal import SwedbankPay
internal import Workflow

/// The service in a process of its own: reads, payments, streams, and lists beside payments.
enum ServiceRow {
    static let name = "service"
    static let inFlight = 64

    static func measure(_ options: Options, in directory: String) async throws -> Row {
        let program = try Workflowctl.build()
        let sandbox = try SandboxProcess()
        defer { sandbox.stop() }
        let loop = try UVLoop(name: "bench")
        let http = EngineHost.transport(on: loop, connections: 128)
        let bed = ServiceBed(
            program: program,
            sandbox: sandbox.baseURL,
            http: http,
            loop: loop,
            options: options
        )
        var row = Row(
            name: name,
            what: "the service, as 'workflowctl serve' runs it, in a process of its own",
            baseline: "a bare Hummingbird handler; the engine in this process"
        )
        let place = directory + "/service"
        try WorkingDirectory.make(place)
        let service = try ServeProcess(program, in: place)
        defer { service.stop() }
        // Without any request yet.
        try await Task.sleep(for: .seconds(1))
        row.expect("resident memory, idle", service.residentMegabytes, atMost: 40, "MB")
        let session = try await bed.reads(of: service, in: directory, into: &row)
        try await bed.payments(through: service, in: directory, into: &row)
        try await bed.lists(of: service, into: &row)
        try await bed.streams(of: session, at: service, into: &row)
        await http.shutdown()
        loop.shutdown()
        row.notes.append(
            "client, service and sandbox share the machine's processors, and wrk with them"
        )
        return row
    }
}

/// What the parts of the row share.
private struct ServiceBed {
    let program: String
    let sandbox: String
    let http: CurlTransport
    let loop: UVLoop
    let options: Options

    private func client(of service: ServeProcess) -> ServeClient {
        ServeClient(url: service.url, token: service.token, http: http)
    }

    private func orders(_ count: Int) async throws -> [String] {
        try await SandboxProcess.orders(count, at: sandbox, over: http, on: loop)
    }

    /// Reads one session, with `wrk`; returns that session.
    func reads(
        of service: ServeProcess,
        in directory: String,
        into row: inout Row
    ) async throws -> String {
        let (client, address) = (client(of: service), try await orders(1)[0])
        let session = try await onLoop(loop) { try await client.pay(address) }
        let path = "/v1/sessions/\(session)"
        let view = try await onLoop(loop) { try await client.body(path) }
        let bare = try BareService.start(returning: view, in: directory)
        defer { bare.process.kill() }
        let seconds = options.count(4, quick: 2)
        let pair = try await Alternation(rounds: options.count(5, quick: 2)) {
            try Wrk.rate(of: service.url + path, token: service.token, seconds: seconds)
        } baseline: {
            try Wrk.rate(of: bare.url + path, token: service.token, seconds: seconds)
        }
        row.add("reads of a session", pair.oursMedian, "requests/s")
        row.add("a bare handler", pair.baselineMedian, "requests/s")
        row.expect("of the bare handler's reads", pair.ratio * 100, atLeast: 70, "%")
        return session
    }

    /// Payments over HTTP, and by the engine in this process.
    func payments(
        through service: ServeProcess,
        in directory: String,
        into row: inout Row
    ) async throws {
        let times = options.count(480, quick: 96)
        let place = directory + "/in-process"
        try WorkingDirectory.make(place)
        let host = try await EngineHost(in: place)
        Task { [engine = host.engine] in await engine.run() }
        let (client, payer) = (client(of: service), SwishPayer(engine: host.engine))
        let pair = try await Alternation(rounds: options.count(5, quick: 2)) {
            try await rate(times) { _ = try await client.pay($0) }
        } baseline: {
            try await rate(times, on: host.loop) { _ = try await payer.pay($0) }
        }
        await host.shutdown()
        host.loop.shutdown()
        row.add("payments through the service", pair.oursMedian, "a second")
        row.add("payments by the engine in this process", pair.baselineMedian, "a second")
        row.expect("of the payments in process", pair.ratio * 100, atLeast: 85, "%")
    }

    /// Payments while 20 clients read lists without a pause, and without them.
    func lists(of service: ServeProcess, into row: inout Row) async throws {
        let times = options.count(480, quick: 96)
        let client = client(of: service)
        let list = service.url + "/v1/sessions?limit=50"
        let pair = try await Alternation(rounds: options.count(5, quick: 2)) {
            let readers = try Wrk.start(
                of: list,
                token: service.token,
                seconds: 600,
                connections: 20
            )
            defer { readers.kill() }
            return try await rate(times) { _ = try await client.pay($0) }
        } baseline: {
            try await rate(times) { _ = try await client.pay($0) }
        }
        row.add("payments beside 20 readers of lists", pair.oursMedian, "a second")
        row.expect("of the payments without them", pair.ratio * 100, atLeast: 98, "%")
    }

    /// Subscribers of one session, and how long it takes until all have a new event.
    func streams(of session: String, at service: ServeProcess, into row: inout Row) async throws {
        let count = options.count(10_000, quick: 1000)
        let client = client(of: service)
        let subscribers = try Subscribers.start(count, of: session, at: service)
        defer { subscribers.kill() }
        row.expect(
            "resident memory with \(count) subscribers",
            service.residentMegabytes,
            atMost: 350,
            "MB"
        )
        let start = Machine.seconds()
        try await onLoop(loop) {
            _ = try await client.send("/v1/sessions/\(session)/notes", ["text": "a note"])
        }
        let delay = try Subscribers.delay(of: subscribers, since: start)
        row.expect("until all of them have an event", delay * 1e3, atMost: 1000, "ms")
    }

    /// Returns how many of this many payments are made a second.
    private func rate(
        _ times: Int,
        on place: UVLoop? = nil,
        _ pay: @escaping @Sendable (String) async throws -> Void
    ) async throws -> Double {
        let urls = try await orders(times)
        let start = Machine.seconds()
        try await sharing(times, among: ServiceRow.inFlight, on: place ?? loop) {
            try await pay(urls[$0])
        }
        return Double(times) / (Machine.seconds() - start)
    }
}
