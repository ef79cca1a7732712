import EventLog
import SwedbankPay
internal import Workflow

/// How engines share the sessions.
extension SimulatedWorld {
    /// Notifies the engine with the most sessions that others should have some of them.
    mutating func shareLeases() {
        var held = Array(repeating: 0, count: nodes.count)
        for resident in residents {
            if let node = resident.lease { held[node] += 1 }
        }
        let share = (held.reduce(0, +) + nodes.count - 1) / nodes.count
        guard let node = held.indices.max(by: { held[$0] < held[$1] }), held[node] > share,
            !nodes[node].isPaused, !nodes[node].isCutFromStore
        else { return }
        give(.leaseSurplus(held[node] - share), to: node)
    }

    /// An engine hands leases over to others.
    mutating func handOver(_ sessions: [SessionID], from node: Int) {
        for number in sessions.compactMap({ numbers[$0] }) where residents[number].lease == node {
            residents[number].lease = nil
            statistics.handOvers += 1
            note(.lease, node: node, number, "handed over")
        }
    }
}
