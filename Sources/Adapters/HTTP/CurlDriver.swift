internal import CCurl

/// Drives libcurl's multi interface from a loop: places, queue, deadlines, ends.
actor CurlDriver {
    /// One request of one caller.
    private final class Exchange {
        let request: PreparedRequest
        let continuation: UnsafeContinuation<Result<HTTPResponse, TransportFailure>, Never>
        var deadline: UVTimer?
        var transfer: CurlTransfer?

        init(
            _ request: PreparedRequest,
            _ continuation: UnsafeContinuation<Result<HTTPResponse, TransportFailure>, Never>
        ) {
            self.request = request
            self.continuation = continuation
        }
    }

    private static let library: CURLcode = ccurl_global_start()

    nonisolated let loop: UVLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let configuration: TransportConfiguration
    /// The multi handle; nothing once shut down.
    private(set) var multi: UnsafeMutableRawPointer?
    private var exchanges: [UInt64: Exchange] = [:]
    private var running: [UnsafeMutableRawPointer: UInt64] = [:]
    private var waiting: [UInt64] = []
    private var idle: [UnsafeMutableRawPointer] = []
    private var lastID: UInt64 = 0
    /// What libcurl wants to hear about, by descriptor.
    var sockets: [Int32: CurlSocket] = [:]
    /// When libcurl wants to be called next.
    var timer: CurlTimer?

    /// A driver that has not begun.
    init(on loop: UVLoop, configuration: TransportConfiguration) {
        self.loop = loop
        self.configuration = configuration
    }

    /// Opens libcurl, or nothing when the loop is ending.
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
    ) async -> Result<HTTPResponse, TransportFailure> {
        if let refusal = refusal() { return .failure(refusal) }
        lastID += 1
        let id = lastID
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { take(request, id, $0) }
        } onCancel: {
            // Posted, never at once, so it comes after the request was taken.
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

    private func take(
        _ request: PreparedRequest,
        _ id: UInt64,
        _ continuation: UnsafeContinuation<Result<HTTPResponse, TransportFailure>, Never>
    ) {
        let exchange = Exchange(request, continuation)
        exchanges[id] = exchange
        let left = request.request.overallDeadline - LoopClock.elapsed(since: request.start)
        exchange.deadline = UVTimer(on: loop, after: left) { elapsed in
            guard elapsed else { return }
            self.assumeIsolated { $0.stop(id, .timedOut) }
        }
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
        guard let easy = idle.popLast() ?? curl_easy_init() else {
            return end(id, .failure(TransportFailure(reach: .notSent, kind: .other)))
        }
        do throws(TransportFailure) {
            let transfer = CurlTransfer(exchange.request, easy: easy, configuration)
            exchange.transfer = transfer
            try transfer.prepare()
            running[easy] = id
            let status = curl_multi_add_handle(multi, easy)
            guard status == CURLM_OK else {
                throw TransportFailure(reach: .notSent, kind: .other)
            }
        } catch {
            end(id, .failure(error))
        }
    }

    /// Hands over what libcurl has finished.
    func collect() {
        guard let multi else { return }
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
                let id = running[easy], let transfer = exchanges[id]?.transfer
            else { continue }
            end(id, transfer.outcome(of: ccurl_message_result(message)))
        }
        startWaiting()
    }

    /// Ends a request early; harmless when it has ended.
    private func stop(_ id: UInt64, _ kind: TransportFailure.Kind) {
        guard let exchange = exchanges[id] else { return }
        let reach = exchange.transfer?.reach ?? .notSent
        waiting.removeAll { $0 == id }
        end(id, .failure(TransportFailure(reach: reach, kind: kind)))
        startWaiting()
    }

    private func end(_ id: UInt64, _ result: Result<HTTPResponse, TransportFailure>) {
        guard let exchange = exchanges.removeValue(forKey: id) else { return }
        exchange.deadline?.cancel()
        if let transfer = exchange.transfer {
            let easy = transfer.easy
            if running.removeValue(forKey: easy) != nil, let multi {
                curl_multi_remove_handle(multi, easy)
            }
            curl_easy_reset(easy)
            transfer.release()
            if multi != nil, idle.count < configuration.maximumConcurrentRequests {
                idle.append(easy)
            } else {
                curl_easy_cleanup(easy)
            }
        }
        exchange.continuation.resume(returning: result)
    }

    /// Fails everything under way and frees everything; harmless when done before.
    func shutdown() {
        loop.shutdownHooks[ObjectIdentifier(self)] = nil
        for id in exchanges.keys.sorted() {
            let reach = exchanges[id]?.transfer?.reach ?? .notSent
            end(id, .failure(TransportFailure(reach: reach, kind: .shutdown)))
        }
        waiting = []
        for easy in idle { curl_easy_cleanup(easy) }
        idle = []
        if let multi { curl_multi_cleanup(multi) }
        multi = nil
        timer?.close()
        timer = nil
        for socket in sockets.values { socket.close() }
        sockets = [:]
    }
}
