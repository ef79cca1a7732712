internal import Glibc

/// SIGINT and SIGTERM as calls on a thread of their own.
enum Signals {
    /// Keeps both signals from every thread that is made from now on.
    static func block() {
        var signals = set()
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Calls back for every signal, as long as the process runs.
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

    private static func set() -> sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
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
