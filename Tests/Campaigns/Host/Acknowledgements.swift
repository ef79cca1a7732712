import EventLog
import Foundation
import SwedbankPay

/// The file in which the host records what the engine has acknowledged: one JSON object per line,
/// each written at once.
///
/// Everything in it must be in the log, whatever happens to the host.
final class Acknowledgements: Sendable {
    private let descriptor: Int32
    /// The sessions of earlier processes, by reference.
    let sessions: [String: SessionID]

    /// Opens the file, or creates it.
    init(path: String) throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        var sessions: [String: SessionID] = [:]
        for line in try Data(contentsOf: URL(fileURLWithPath: path)).split(separator: 0x0A) {
            let members = try? JSONSerialization.jsonObject(with: line) as? [String: Any]
            guard let reference = members?["reference"] as? String,
                let text = members?["session"] as? String, let session = SessionID(text)
            else { continue }
            sessions[reference] = session
        }
        self.sessions = sessions
    }

    /// Records that a session was opened.
    func record(_ session: SessionID, reference: String) {
        write(["session": "\(session)", "reference": reference])
    }

    /// Records a state that a call returned or an update contained.
    func record(_ state: SessionState) {
        var members: [String: Any] = [
            "session": "\(state.session)", "seq": state.sequence.rawValue,
        ]
        members["outcome"] = state.outcome?.rawValue
        write(members)
    }

    /// Records an event that a listener received.
    func record(_ event: RecordedEvent) {
        write([
            "session": "\(event.stream)", "seq": event.sequence.rawValue,
            "type": Self.name(of: event.event),
        ])
    }

    /// Records the failure of a call.
    func record(failure code: String, reference: String) {
        write(["failure": code, "of": reference])
    }

    func record(note: String) { write(["note": note, "process": getpid()]) }

    /// Records an event as acknowledged, whether it exists or not.
    func claim(_ session: SessionID, sequence: SequenceNumber, type: String) {
        write(["session": "\(session)", "seq": sequence.rawValue, "type": type])
    }

    private func write(_ members: [String: Any]) {
        guard
            var line = try? JSONSerialization.data(
                withJSONObject: members,
                options: [.sortedKeys]
            )
        else { return }
        line.append(0x0A)
        _ = line.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }

    /// Returns the name of the event in the log, which is the name of its case.
    private static func name(of event: Any) -> String {
        guard let child = Mirror(reflecting: event).children.first, let label = child.label else {
            return "\(event)"
        }
        return label == "checkout" ? name(of: child.value) : label
    }
}
