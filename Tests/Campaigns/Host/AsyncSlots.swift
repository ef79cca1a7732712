/// A number of slots, for which tasks wait in the order of their arrival.
actor AsyncSlots {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(count: Int) { free = count }

    /// Waits for a slot and acquires it.
    func acquire() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Releases a slot.
    func release() {
        guard waiting.isEmpty else { return waiting.removeFirst().resume() }
        free += 1
    }
}
