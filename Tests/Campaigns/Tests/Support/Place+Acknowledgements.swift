import Foundation

extension Place {
    /// Returns what a running host has acknowledged so far.
    func acknowledged(_ name: String = "host") -> [[String: Any]] {
        let said = FileManager.default.contents(atPath: "\(folder)/\(name).acknowledged") ?? Data()
        return said.split(separator: 0x0A).compactMap { line in
            try? JSONSerialization.jsonObject(with: line) as? [String: Any]
        }
    }

    /// Waits until a host has acknowledged a number of facts.
    func acknowledgements(_ count: Int) async throws {
        for _ in 1...1200 {
            if acknowledged().count >= count { return }
            try await Task.sleep(for: .milliseconds(25))
        }
        throw CampaignError("the host says nothing")
    }

    /// Returns the sessions that a host knows to have begun, and of these the ones that ended.
    func sessions() -> (begun: Set<String>, ended: Set<String>) {
        var sessions: (begun: Set<String>, ended: Set<String>) = ([], [])
        for line in acknowledged() {
            guard let session = line["session"] as? String else { continue }
            sessions.begun.insert(session)
            if line["outcome"] != nil { sessions.ended.insert(session) }
        }
        return sessions
    }
}
