internal import CCurl

/// Drives libcurl's multi interface from a loop: concurrency limit, queue, deadlines and
/// completion.
actor CurlDriver {
    /// One request and its waiting caller.
    private final class Exchange {
        let request: PreparedRequest
        let continuation: UnsafeContinuation<Result<TransportResponse, TransportFailure>, Never>
        var transfer: CurlTransfer?

        init(
            _ request: PreparedRequest,
            _ continuation: UnsafeContinuation<Result<TransportResponse, TransportFailure>, Never>
        ) {
            self.request = request
            self.continuation = continuation
        }
    }

    private static let library: CURLcode = {
        _ = TLSSecretsFile.wasWanted
        return ccurl_global_start()
    }()

    nonisolated let loop: UVLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let configuration: TransportConfiguration
    /// The multi handle; `nil` before the start and after shutdown.
    private(set) var multi: UnsafeMutableRawPointer?
    private var exchanges: [UInt64: Exchange] = [:]
    private var running: [ObjectIdentifier: UInt64] = [:]
    private var waiting: [UInt64] = []
    private var idle: [CurlHandle] = []
    private var lastID: UInt64 = 0
    private var authorities = KnownAuthorities()
    /// The fields of the newest request, kept because most requests share them.
    private var fields = RequestFields()
    /// The timer that ends overdue requests, and the deadline for which it is set.
    private var wake: (timer: UVTimer, deadline: Int64)?
    /// The sockets that libcurl watches, by descriptor.
    var sockets: [Int32: CurlSocket] = [:]
    /// Measures how long libcurl has worked without returning.
    let turn = CurlTurn()
    /// The timer for libcurl's next timeout.
    var timer: CurlTimer?

    /// Creates a driver; ``begin()`` starts it.
    init(on loop: UVLoop, configuration: TransportConfiguration) {
        self.loop = loop
        self.configuration = configuration
    }

    /// Starts libcurl, unless the loop is ending.
    func begin() {
        guard loop.acceptsHandles, Self.library == CURLE_OK, let multi = curl_multi_init() else {
            return
        }
        self.multi = multi
        connect(multi)
        let idle = max(1, configuration.maximumIdleConnections)
        ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, idle)
        loop.shutdownHooks[ObjectIdentifier(self)] = { self.assumeIsolated { $0.shutdown() } }
    }

    /// Performs a request that was checked.
    func perform(
        _ request: PreparedRequest
    ) async -> Result<TransportResponse, TransportFailure> {
        if let refusal = refusal() { return .failure(refusal) }
        lastID += 1
        let id = lastID
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { enqueue(request, id, $0) }
        } onCancel: {
            // Posted rather than called at once, so that it runs after the request was registered.
            loop.post { self.assumeIsolated { $0.stop(id, .canceled) } }
        }
    }

    private func refusal() -> TransportFailure? {
        if multi == nil { return TransportFailure(reach: .notSent, kind: .shutdown) }
        if Task.isCancelled { return TransportFailure(reach: .notSent, kind: .canceled) }
        let isFull =
            running.count >= configuration.maximumConcurrentRequests
            && waiting.count >= configuration.maximumQueuedRequests
        return isFull ? TransportFailure(reach: .notSent, kind: .queueFull) : nil
    }

    private func enqueue(
        _ request: PreparedRequest,
        _ id: UInt64,
        _ continuation: UnsafeContinuation<Result<TransportResponse, TransportFailure>, Never>
    ) {
        let exchange = Exchange(request, continuation)
        exchanges[id] = exchange
        wake(at: request.deadline)
        waiting.append(id)
        startWaiting()
    }

    private func startWaiting() {
        var started = 0
        while started < waiting.count, running.count < configuration.maximumConcurrentRequests {
            start(waiting[started])
            started += 1
        }
        waiting.removeFirst(started)
    }

    private func start(_ id: UInt64) {
        guard let exchange = exchanges[id], let multi else { return }
        guard authorities.agree(on: exchange.request.url) else {
            let refusal = TransportFailure(reach: .notSent, kind: .refusedURL(.malformed))
            return end(id, .failure(refusal))
        }
        let other = TransportFailure(reach: .notSent, kind: .other)
        guard let handle = idle.popLast() ?? CurlHandle(configuration) else {
            return end(id, .failure(other))
        }
        let headers = exchange.request.request.headers
        if !fields.fits(headers) { fields = RequestFields(headers) }
        let transfer = CurlTransfer(exchange.request, fields, on: handle, configuration, in: turn)
        exchange.transfer = transfer
        transfer.prepare()
        running[ObjectIdentifier(handle)] = id
        if curl_multi_add_handle(multi, handle.easy) != CURLM_OK { end(id, .failure(other)) }
    }

    /// Schedules a check for overdue requests at a deadline.
    ///
    /// One timer serves all requests. It is not rescheduled when a request ends, which most do long
    /// before their deadline: when it fires then, it finds no expired request, and is set for the
    /// earliest remaining deadline.
    private func wake(at deadline: Int64) {
        if let wake, wake.deadline <= deadline { return }
        wake?.timer.cancel()
        let left = Duration.nanoseconds(deadline - LoopClock.monotonicNanoseconds())
        let timer = UVTimer(on: loop, after: max(left, .zero)) { elapsed in
            guard elapsed else { return }
            self.assumeIsolated { $0.endOverdue() }
        }
        wake = (timer, deadline)
    }

    private func endOverdue() {
        wake = nil
        let now = LoopClock.monotonicNanoseconds()
        for (id, exchange) in exchanges where exchange.request.deadline <= now {
            stop(id, .timedOut)
        }
        if let next = exchanges.values.map(\.request.deadline).min() { wake(at: next) }
    }

    /// Delivers the transfers that libcurl has finished.
    func collect() {
        guard let multi else { return }
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
                let handle = CurlHandle.of(easy), let transfer = handle.transfer,
                let id = running[ObjectIdentifier(handle)]
            else { continue }
            end(id, transfer.outcome(of: ccurl_message_result(message)))
        }
        startWaiting()
    }

    /// Ends a request early; has no effect when it has ended.
    private func stop(_ id: UInt64, _ kind: TransportFailure.Kind) {
        guard let exchange = exchanges[id] else { return }
        let reach = exchange.transfer?.reach ?? .notSent
        waiting.removeAll { $0 == id }
        end(id, .failure(TransportFailure(reach: reach, kind: kind)))
        startWaiting()
    }

    private func end(_ id: UInt64, _ result: Result<TransportResponse, TransportFailure>) {
        guard let exchange = exchanges.removeValue(forKey: id) else { return }
        if let transfer = exchange.transfer {
            let handle = transfer.handle
            if running.removeValue(forKey: ObjectIdentifier(handle)) != nil, let multi {
                curl_multi_remove_handle(multi, handle.easy)
            }
            transfer.release()
            if multi != nil, idle.count < configuration.maximumConcurrentRequests {
                idle.append(handle)
            }
        }
        exchange.continuation.resume(returning: result)
    }

    /// Fails all running and waiting requests and frees every handle; repeated calls have no
    /// effect.
    func shutdown() {
        loop.shutdownHooks[ObjectIdentifier(self)] = nil
        for id in exchanges.keys.sorted() {
            let reach = exchanges[id]?.transfer?.reach ?? .notSent
            end(id, .failure(TransportFailure(reach: reach, kind: .shutdown)))
        }
        waiting = []
        wake?.timer.cancel()
        wake = nil
        idle = []
        if let multi { curl_multi_cleanup(multi) }
        multi = nil
        timer?.close()
        timer = nil
        for socket in sockets.values { socket.close() }
        sockets = [:]
    }
}
