internal import CUV

/// A one-shot timer on a loop.
///
/// It calls its action exactly once: with `true` when the time has elapsed, with `false` when the
/// loop ends first. After cancellation it does not call it at all.
///
/// - Note: Isolation: all members on the loop.
public final class UVTimer {
    private let loop: UVLoop
    private var action: ((Bool) -> Void)?
    private var handle: UnsafeMutablePointer<uv_timer_t>?

    /// Starts a timer; it stays alive until it fires, even without a reference to it.
    ///
    /// On a loop that is ending, the action is called at once with `false`.
    ///
    /// - Parameters:
    ///   - loop: The loop that the caller runs on.
    ///   - duration: The time to wait, rounded up to milliseconds; the timer never fires early.
    ///   - action: The closure to call, on the loop.
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
        // libuv counts from its cached, truncated clock: refresh it, and compensate for the
        // truncation.
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

    /// Stops the timer so that its action is not called; has no effect when it has fired.
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
        UVHandle.close(handle)
        loop.timers[ObjectIdentifier(self)] = nil
    }
}
