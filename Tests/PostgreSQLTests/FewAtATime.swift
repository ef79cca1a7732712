import Testing

/// Limits how many suites run at the same time.
///
/// Most of their tests wait for processes and for the server, so that more than one suite runs well
/// beside another; with all of them at once, each test would take long, and the server would run
/// out of connections.
struct FewAtATime: SuiteTrait, TestScoping {
    private static let slots = Slots(3)

    @concurrent func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        await Self.slots.acquire()
        let result = await Result { try await function() }
        await Self.slots.release()
        try result.get()
    }

    private actor Slots {
        private var free: Int
        private var waiting: [CheckedContinuation<Void, Never>] = []

        init(_ count: Int) { free = count }

        func acquire() async {
            guard free == 0 else { return free -= 1 }
            await withCheckedContinuation { waiting.append($0) }
        }

        func release() {
            if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
        }
    }
}

extension Trait where Self == FewAtATime {
    /// Runs the tests of the suite while only a few other suites run.
    static var fewAtATime: FewAtATime { FewAtATime() }
}
