package import CUV
internal import Glibc

/// A libuv loop on its own thread, which is also a Swift executor.
///
/// Actors that use it as their executor run on its thread, together with libuv's callbacks, so
/// timers, sockets and state need no lock between them. Start tasks with
/// ``spawn(priority:operation:)``: only a task that prefers the loop resumes there without a detour
/// through the global pool.
///
/// The loop runs until ``shutdown()``; without that call its thread never ends.
///
/// - Note: Isolation: every member may be called from any thread unless it says "on the loop".
public final class UVLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    // Unchecked: `inbox`, `bell` and `joining` are safe on any thread; everything else is accessed
    // on the loop's thread only, apart from `init`, which ends before that thread reads it.

    /// Jobs and calls from other threads.
    struct Inbox {
        /// Jobs of Swift tasks, in order.
        var jobs: [UnownedJob] = []
        /// Plain calls, in their own order; they run before `jobs`.
        var calls: [@Sendable () -> Void] = []
        /// Whether the loop is to end.
        var stopping = false
        /// Whether the loop's thread has accepted its last job.
        var closed = false
        /// Whether a thread is running jobs that arrived after the end.
        var lateThread = false
        /// Whether the loop reads this again without being woken.
        var isAwake = false

        /// Whether there is no job to run.
        var isEmpty: Bool { jobs.isEmpty && calls.isEmpty }
    }

    /// The name of the thread, truncated to 15 bytes by the system.
    public let name: String

    let inbox: ThreadLock<Inbox>
    let bell: UVWakeup
    private let joining = ThreadLock<uv_thread_t?>(nil)

    /// The libuv loop (on the loop, while ``acceptsHandles``).
    package let raw: UnsafeMutablePointer<uv_loop_t>
    private let poll: UnsafeMutablePointer<uv_poll_t>
    private let before: UnsafeMutablePointer<uv_prepare_t>
    let spin: UnsafeMutablePointer<uv_idle_t>

    /// Jobs enqueued on this thread (on the loop).
    var ready: [UnownedJob] = []
    /// Plain calls posted on this thread; they run before `ready` (on the loop).
    var readyCalls: [@Sendable () -> Void] = []
    /// The jobs being run (on the loop).
    var batch: [UnownedJob] = []
    /// Whether `spin` keeps the loop from sleeping (on the loop).
    var spinning = false
    /// The monotonic time in nanoseconds until which the loop stays awake for a call from another
    /// thread; 0 when it expects none soon (on the loop).
    var awakeUntil: Int64 = 0
    /// Whether handles may still be opened (on the loop).
    package internal(set) var acceptsHandles = true
    /// Whether offloaded work may still be queued (on the loop).
    var acceptsWork = true
    /// The number of pieces of work on the worker pool (on the loop).
    var workInFlight = 0
    /// The timers that have not fired (on the loop).
    var timers: [ObjectIdentifier: UVTimer] = [:]
    /// Closures to call when the loop ends, by the identity of their owner (on the loop).
    package var shutdownHooks: [ObjectIdentifier: () -> Void] = [:]

    /// Starts a loop and its thread.
    ///
    /// - Throws: ``UVError`` when the system has no descriptor, memory or thread available.
    public init(name: String = "loop") throws(UVError) {
        self.name = name
        inbox = ThreadLock(Inbox())
        bell = try UVWakeup()
        raw = .allocate(capacity: 1)
        poll = .allocate(capacity: 1)
        before = .allocate(capacity: 1)
        spin = .allocate(capacity: 1)
        var opened = false
        do throws(UVError) {
            try UVError.check(uv_loop_init(raw), "uv_loop_init")
            opened = true
            raw.pointee.data = Unmanaged.passUnretained(self).toOpaque()
            uv_prepare_init(raw, before)
            uv_idle_init(raw, spin)
            try UVError.check(uv_poll_init(raw, poll, bell.descriptor), "uv_poll_init")
            uv_poll_start(poll, Int32(UV_READABLE.rawValue)) { handle, _, _ in
                UVLoop.of(handle?.pointee.loop)?.bell.silence()
            }
            // The only place where jobs run: right before every poll.
            uv_prepare_start(before) { UVLoop.of($0?.pointee.loop)?.drain() }
            try startThread()
        } catch {
            if opened { closeHandles() }
            freeHandles()
            throw error
        }
    }

    private func startThread() throws(UVError) {
        let status = joining.withLock { joining -> Int32 in
            var thread = uv_thread_t()
            let me = Unmanaged.passRetained(self)
            let status = uv_thread_create(
                &thread,
                { argument in
                    guard let argument else { return }
                    Unmanaged<UVLoop>.fromOpaque(argument).takeRetainedValue().main()
                },
                me.toOpaque()
            )
            if status == 0 { joining = thread } else { me.release() }
            return status
        }
        try UVError.check(status, "uv_thread_create")
    }

    /// The loop object that owns a libuv loop.
    static func of(_ loop: UnsafeMutablePointer<uv_loop_t>?) -> UVLoop? {
        guard let data = loop?.pointee.data else { return nil }
        return Unmanaged<UVLoop>.fromOpaque(data).takeUnretainedValue()
    }

    private func main() {
        enterThread()
        // A peer that closes early must cause an error, not end the process.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let shortName = name.utf8.prefix(15).map { CChar(bitPattern: $0) } + [0]
        _ = shortName.withUnsafeBufferPointer { cuv_name_this_thread($0.baseAddress) }
        uv_run(raw, UV_RUN_DEFAULT)
        closeHandles()
        freeHandles()
        while runLeftovers() {}
        leaveThread()
    }

    /// Ends the loop: pending waits fail, every job runs, and the thread ends.
    ///
    /// Further calls only wait. The calling thread blocks until the work on the worker pool is
    /// done. Jobs that arrive even later still run, one at a time, on a short-lived thread, so no
    /// task is lost.
    ///
    /// - Precondition: Not called on the loop itself.
    public func shutdown() {
        precondition(!isOnLoop, "a loop cannot wait for its own end")
        inbox.withLock { $0.stopping = true }
        bell.ring()
        joining.withLock { thread in
            guard var running = thread else { return }
            uv_thread_join(&running)
            thread = nil
        }
    }

    private func closeHandles() {
        repeat {
            uv_walk(
                raw,
                { handle, _ in
                    if uv_is_closing(handle) == 0 { uv_close(handle, nil) }
                },
                nil
            )
            uv_run(raw, UV_RUN_DEFAULT)
        } while uv_loop_close(raw) == UV_EBUSY.rawValue
    }

    private func freeHandles() {
        poll.deallocate()
        before.deallocate()
        spin.deallocate()
        raw.deallocate()
    }
}

extension UVLoop {
    /// The version of libuv in this process.
    package static var libraryVersion: String { "libuv/" + String(cString: uv_version_string()) }
}
