internal import Glibc

/// Delivers SIGINT, SIGTERM and SIGHUP on a thread of their own.
///
/// A command that should outlive its terminal (`nohup`) still does.
enum Signals {
    /// Blocks the signals in every thread that is created from now on.
    static func block() {
        var signals = set()
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Calls a closure for every signal, as long as the process runs.
    static func watch(_ body: @escaping @Sendable () -> Void) {
        let context = Unmanaged.passRetained(Handler(body: body))
        var thread = pthread_t()
        let status = pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Handler>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            },
            context.toOpaque()
        )
        guard status == 0 else {
            context.release()
            return
        }
        pthread_detach(thread)
    }

    /// Whether this process was started to ignore the end of its terminal.
    private static let isHangupIgnored: Bool = {
        var action = sigaction()
        guard sigaction(SIGHUP, nil, &action) == 0 else { return false }
        return action.__sigaction_handler.sa_handler.map { unsafeBitCast($0, to: Int.self) } == 1
    }()

    private static func set() -> sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        if !isHangupIgnored { sigaddset(&signals, SIGHUP) }
        return signals
    }

    private final class Handler: Sendable {
        let body: @Sendable () -> Void

        init(body: @escaping @Sendable () -> Void) { self.body = body }

        func run() {
            var signals = Signals.set()
            var signal: Int32 = 0
            while sigwait(&signals, &signal) == 0 { body() }
        }
    }
}
