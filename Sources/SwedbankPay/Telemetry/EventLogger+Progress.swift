internal import EventLog
internal import Logging
internal import Workflow

extension EventLogger {
    /// Changes the progress in the store, together with waiting changes of other sessions.
    ///
    /// - Returns: The progress after the change; `nil` when another worker has the session or the
    ///   store fails.
    func change(_ change: DeliveryChange) async -> DeliveryProgress? {
        await withCheckedContinuation { reply in
            changes.append(PendingChange(change: change, reply: reply))
            if writing == nil { writing = spawn { await $0.write() } }
        }
    }

    /// Writes changes until none are left; those that arrive meanwhile are written together the
    /// next time.
    private func write() async {
        while !changes.isEmpty {
            let batch = changes
            changes.removeAll()
            let now = clock.now()
            let claim = DeliveryClaim(
                consumer: Self.consumer,
                worker: worker,
                until: now + options.claim
            )
            var results: [DeliveryProgress?] = []
            do {
                results = try await store.changeDeliveries(batch.map(\.change), by: claim, at: now)
            } catch {
                log.warning(
                    "the progress of client telemetry could not be written",
                    metadata: ["code": "\(error.code)"]
                )
            }
            for (index, pending) in batch.enumerated() {
                pending.reply.resume(returning: index < results.count ? results[index] : nil)
            }
            guard !isStopping else { continue }
            await clock.sleep(until: clock.now() + options.writingInterval)
        }
        writing = nil
    }
}
