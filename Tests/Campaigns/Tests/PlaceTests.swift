import Foundation
import TestSupport
import Testing

/// A campaign that is interrupted leaves no process and no file behind.
@Suite struct PlaceTests {
    /// Returns whether a process still runs, and is not a zombie.
    private func isRunning(_ process: Int32) -> Bool {
        guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let state = stat.split(separator: ") ").last?.first
        else { return false }
        return state != "Z"
    }

    private func hasEnded(_ process: Int32) async throws -> Bool {
        for _ in 1...400 where isRunning(process) {
            try await Task.sleep(for: .milliseconds(25))
        }
        return !isRunning(process)
    }

    /// Writes the jobs of a host that never ends, because its requests get no response.
    private func jobs(of place: Place) throws {
        let url = "http://127.0.0.1:9/psp/paymentsessions/" + String(repeating: "a", count: 64)
        let job: [String: Any] = [
            "number": 0, "kind": "card", "reference": "p-0", "provider": place.provider, "url": url,
        ]
        let line = try JSONSerialization.data(withJSONObject: job)
        try place.write(String(decoding: line, as: UTF8.self) + "\n", to: "jobs")
    }

    @Test func `processes that a test started have ended when the test throws`() async throws {
        var (process, folder): (Int32, String) = (0, "")
        await #expect(throws: CampaignError.self) {
            try await Place.with("thrown") { place in
                try jobs(of: place)
                _ = try place.host()
                try await place.acknowledgements(1)
                process = try #require(place.acknowledged()[0]["process"] as? Int32)
                folder = place.folder
                #expect(isRunning(process))
                throw CampaignError("on purpose")
            }
        }
        #expect(process > 0)
        #expect(!isRunning(process))
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func `a host ends with the process that started it`() async throws {
        try await Place.with("orphan") { place in
            try jobs(of: place)
            let host =
                "'\(Place.host)' '\(place.store)' "
                + "'\(place.folder)/jobs' '\(place.folder)/host.acknowledged'"
            let parent = try place.start("/bin/bash", ["-c", "\(host) & wait"])
            try await place.acknowledgements(1)
            let process = try #require(place.acknowledged()[0]["process"] as? Int32)
            #expect(isRunning(process))
            parent.kill()
            #expect(try await hasEnded(process))
        }
    }
}
