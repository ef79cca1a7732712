internal import CUV

/// A one-shot timer of a loop.
///
/// It calls its action exactly once, with `true` when the time is over and with `false` when the loop
/// ends first; not at all once it is cancelled.
///
/// - Note: Isolation: on the loop, every member.
public final class UVTimer {
    private let loop: UVLoop
    private var action: ((Bool) -> Void)?
    private var handle: UnsafeMutablePointer<uv_timer_t>?

    /// Starts a timer; it stays alive until it fires, even when nobody keeps it.
    ///
    /// On a loop that is ending the action is called at once, with `false`.
    ///
    /// - Parameters:
    ///   - loop: the loop that the caller is on.
    ///   - duration: rounded up to milliseconds; never fires early.
    ///   - action: called on the loop.
    public init(on loop: UVLoop, after duration: Duration, _ action: @escaping (Bool) -> Void) {
        loop.checkIsolated()
        self.loop = loop
        self.action = action
        guard loop.acceptsHandles else {
            fire(elapsed: false)
            return
        }
        let handle = UnsafeMutablePointer<uv_timer_t>.allocate(capacity: 1)
        self.handle = handle
        uv_timer_init(loop.raw, handle)
        handle.pointee.data = Unmanaged.passUnretained(self).toOpaque()
        loop.timers[ObjectIdentifier(self)] = self
        // libuv counts from its cached, truncated clock: refresh it, and add what truncation took.
        uv_update_time(loop.raw)
        let milliseconds = duration.millisecondsRoundedUp
        uv_timer_start(
            handle,
            { handle in
                guard let data = handle?.pointee.data else { return }
                Unmanaged<UVTimer>.fromOpaque(data).takeUnretainedValue().fire(elapsed: true)
            },
            milliseconds == 0 ? 0 : milliseconds + 1,
            0
        )
    }

    /// Stops the timer: its action will not be called; harmless when it has fired.
    public func cancel() {
        loop.checkIsolated()
        action = nil
        close()
    }

    /// Calls the action, once.
    func fire(elapsed: Bool) {
        guard let action else { return }
        self.action = nil
        close()
        action(elapsed)
    }

    private func close() {
        guard let handle else { return }
        self.handle = nil
        // The memory is libuv's until this callback.
        uv_close(UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_handle_t.self)) {
            UnsafeMutableRawPointer($0)?
                .assumingMemoryBound(to: uv_timer_t.self).deallocate()
        }
        loop.timers[ObjectIdentifier(self)] = nil
    }
}
