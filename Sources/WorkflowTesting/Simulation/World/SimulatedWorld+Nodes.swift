internal import EventLog
import SwedbankPay
import Workflow

/// The troubles of engines: crashes, pauses, partitions, clock jumps.
extension SimulatedWorld {
    /// An engine crashes with everything that is not durable, and another one starts from the log.
    public mutating func crash(_ node: Int = 0) {
        guard nodes.indices.contains(node) else { return }
        statistics.crashes += 1
        let life = nodes[node].life + 1
        note(.crash, node: node, nil, "life \(life) begins")
        die(node)
    }

    /// All engines crash at once.
    public mutating func losePower() {
        statistics.powerLosses += 1
        note(.powerLoss, node: nil, nil, "")
        for node in nodes.indices { die(node) }
    }

    private mutating func die(_ node: Int) {
        let dead = nodes[node]
        nodes[node].life += 1
        nodes[node].troubles += 1
        nodes[node].trouble = nil
        nodes[node].waiting.removeAll()
        nodes[node].writes.removeAll()
        nodes[node].requests.removeAll()
        nodes[node].lostLeases.removeAll()
        nodes[node].unawareOf.removeAll()
        nodes[node].loading.removeAll()
        nodes[node].expectsNews = false
        nodes[node].following = Following(batch: 3)
        nodes[node].hosts = HostGuard(
            limits: settings.circuitBreaker,
            budget: settings.retryBudget
        )
        nodes[node].core = EngineCore(
            rules: scenario.rules,
            schedule: settings.retrySchedule,
            limits: settings.engineLimits,
            seed: generator.next()
        )
        for number in residents.indices where residents[number].lease == node {
            residents[number].lease = nil
        }
        ledger.crashed(
            lifeOf: residents.lazy.filter { $0.lastHolder == node }.map(\.id)
        )
        for number in dead.writes.keys.sorted() {
            if let write = dead.writes[number] { tear(write, in: number) }
        }
        comeBack(from: dead, node)
    }

    /// Clients that lost their engine reconnect, and any engine finds what is due.
    private mutating func comeBack(from dead: Node, _ node: Int) {
        for request in dead.waiting.keys.sorted() {
            if let lost = dead.waiting[request] { askAgain(lost) }
        }
        for number in residents.indices {
            if residents[number].home == node {
                residents[number].home = nil
                reconnectSoon(number)
            }
            if dead.core.holds(residents[number].id) { adoptLater(number) }
            if dead.loading.contains(number) {
                adoptLater(number)
                reconnectSoon(number)
            }
        }
    }

    // MARK: Transient faults

    /// An engine stops for a while.
    mutating func pause(_ node: Int) {
        let length = pause(500...25_000)
        guard begin(.paused(until: now + length), of: node, for: length) else { return }
        note(.pause, node: node, nil, "is suspended for \(length.wholeMilliseconds) ms")
    }

    /// An engine is cut off from the PSP or from the store.
    mutating func cut(_ node: Int, from trouble: Trouble) {
        let length = pause(500...40_000)
        guard begin(trouble, of: node, for: length) else { return }
        statistics.partitions += 1
        let from = if case .cutFromStore = trouble { "the store" } else { scenario.otherSide }
        note(.partition, node: node, nil, "\(from) for \(length.wholeMilliseconds) ms")
    }

    private mutating func begin(_ trouble: Trouble, of node: Int, for length: Duration) -> Bool {
        guard nodes[node].trouble == nil else { return false }
        nodes[node].troubles += 1
        nodes[node].trouble = trouble
        let (number, life) = (nodes[node].troubles, nodes[node].life)
        agenda.add(.recover(number), at: now + length, node, life: life)
        if case .cutFromProvider = trouble { return true }
        if length > settings.leaseLifetime {
            agenda.add(.expire(number), at: now + settings.leaseLifetime, node, life: life)
        }
        return true
    }

    /// Ends an engine's trouble; before anything else, the engine is notified of some of its lost
    /// leases.
    ///
    /// It finds out about the others when it acts: its appends are refused, and its requests held
    /// back.
    mutating func recover(from number: Int, _ node: Int) {
        guard nodes[node].troubles == number, let trouble = nodes[node].trouble else { return }
        nodes[node].trouble = nil
        let isPause = if case .paused = trouble { true } else { false }
        note(isPause ? .pause : .partition, node: node, nil, "over")
        let lost = nodes[node].lostLeases
        nodes[node].lostLeases = []
        nodes[node].unawareOf.formUnion(lost.filter { ($0 + number).isMultiple(of: 2) })
        for number in lost where !nodes[node].unawareOf.contains(number) {
            give(.lease(residents[number].id, granted: false), to: node)
        }
    }

    /// Expires the leases of an engine that cannot renew them.
    ///
    /// A running engine gives them up by its own clock first; a stopped one finds out when it
    /// continues.
    mutating func expireLeases(in number: Int, of node: Int) {
        guard nodes[node].troubles == number, nodes[node].trouble != nil else { return }
        let isPaused = nodes[node].isPaused
        for number in residents.indices where residents[number].lease == node {
            statistics.lostLeases += 1
            note(.lease, node: node, number, "ran out")
            if isPaused {
                nodes[node].lostLeases.append(number)
            } else {
                give(.lease(residents[number].id, granted: false), to: node)
            }
            residents[number].lease = nil
            // The next engine must reconcile what is under way, as after a crash.
            ledger.crashed(lifeOf: [residents[number].id])
            adoptLater(number)
        }
    }

    /// An engine's clock jumps, forward or back, or is corrected.
    mutating func jump(_ node: Int) {
        statistics.clockJumps += 1
        nodes[node].jumps += 1
        let isPutRight = nodes[node].clockError != 0 && chance(500)
        let error = isPutRight ? 0 : pause(0...240_000).wholeMicroseconds - 120_000_000
        nodes[node].clockError = error
        note(.clockJump, node: node, nil, "\(error / 1000) ms off")
    }

    // MARK: Leases and resuming sessions

    /// An engine requests a session's lease.
    mutating func lease(_ number: Int, to node: Int) {
        let isFree = (residents[number].lease ?? node) == node && !nodes[node].isCutFromStore
        if isFree {
            if let last = residents[number].lastHolder, last != node { statistics.takeovers += 1 }
            residents[number].lease = node
            residents[number].lastHolder = node
            nodes[node].unawareOf.remove(number)
        }
        note(.lease, node: node, number, isFree ? "granted" : "refused")
        give(.lease(residents[number].id, granted: isFree), to: node)
    }

    /// Schedules that any engine finds a due session in the projection, since no engine may have it
    /// in memory.
    mutating func adoptLater(_ number: Int) {
        guard let due = dueAt(logs[number].live), let time = discovery(of: number, due: due)
        else { return }
        if let planned = residents[number].adoption, planned <= time { return }
        residents[number].adoption = time
        agenda.add(.adopt(number), at: time, anyNode(), life: nil)
    }

    /// An engine adopts a session, works on what is due, and unloads it.
    mutating func adopt(_ number: Int) {
        if let planned = residents[number].adoption, planned > now { return }
        residents[number].adoption = nil
        if nodes.count > 1 { shareLeases() }
        let node = anyNode()
        guard !nodes[node].isPaused, !nodes[node].isCutFromStore else { return adoptLater(number) }
        guard !nodes[node].core.holds(residents[number].id), !nodes[node].loading.contains(number)
        else { return }
        read(number, at: node, forClient: false)
    }

    /// An engine begins to read a session's log, to which others may append meanwhile.
    private mutating func read(_ number: Int, at node: Int, forClient isForClient: Bool) {
        let state = logs[number].live
        note(.loaded, node: node, number, "up to \(state.sequence)")
        nodes[node].loading.insert(number)
        schedule(.read(number, state, forClient: isForClient), for: node, within: 1...200)
    }

    /// An engine has read the log of a session that it adopts, or whose client has connected.
    mutating func finishReading(
        of number: Int,
        _ state: Scenario.Rules.State,
        forClient isForClient: Bool,
        at node: Int
    ) {
        nodes[node].loading.remove(number)
        let session = residents[number].id
        if !nodes[node].core.holds(session) {
            guard !nodes[node].isCutFromStore else {
                return isForClient ? reconnectSoon(number) : adoptLater(number)
            }
            offerForgery(of: number, to: node)
            give(.loaded(state, isWatched: true), to: node)
            give(.watched(session, isForClient), to: node)
        }
        if isForClient { watch(number, at: node) }
        if !nodes[node].following.hasNews(subscription.count) { checkMemory(of: node) }
    }

    /// An engine unloads a session whose client is away for a while.
    mutating func unwatch(_ number: Int, at node: Int) {
        give(.watched(residents[number].id, false), to: node)
        guard residents[number].home == node else { return }
        residents[number].home = nil
        reconnectSoon(number)
    }

    /// Schedules the return of a client that was away.
    mutating func reconnectSoon(_ number: Int) {
        guard !logs[number].live.isOver else { return }
        agenda.add(.reconnect(number), at: now + pause(50...8000), anyNode(), life: nil)
    }

    /// A client reconnects to any engine.
    mutating func reconnect(_ number: Int) {
        let state = logs[number].live
        guard residents[number].home == nil, !state.isOver, state.sequence > 0 else {
            return
        }
        let node = anyNode()
        guard !nodes[node].isPaused, !nodes[node].isCutFromStore else {
            return reconnectSoon(number)
        }
        if nodes[node].core.holds(residents[number].id) { return watch(number, at: node) }
        guard !nodes[node].loading.contains(number) else { return reconnectSoon(number) }
        read(number, at: node, forClient: true)
    }

    /// Loads a client's session into an engine's memory, where it stays.
    mutating func watch(_ number: Int, at node: Int) {
        if !nodes[node].core.holds(residents[number].id) {
            load(number, at: node, isWatched: true)
        }
        give(.watched(residents[number].id, true), to: node)
        if let home = residents[number].home, home != node {
            schedule(.unwatch(number), for: home, within: 1...500)
        }
        residents[number].home = node
    }
}
