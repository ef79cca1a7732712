import Foundation

@testable import EventLog
@testable import SwedbankPay

/// The golden logs, as initial inputs.
enum GoldenLogs {
    /// The directory of this file's target.
    static let folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The logs, one in each file.
    static let files: [[UInt8]] = {
        let logs = folder.deletingLastPathComponent().appendingPathComponent("Fixtures/Logs")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: logs.path)) ?? []
        return names.sorted().compactMap { name in
            (try? Data(contentsOf: logs.appendingPathComponent(name))).map { [UInt8]($0) }
        }
    }()

    /// Their lines.
    static let lines = files.flatMap { $0.split(separator: 0x0A).map { Array($0) } }

    /// Returns the beginning of a record, up to the first member of its data.
    static let head = #"{"at":"2026-11-20T12:00:00.000000Z","data":{"#

    /// Returns a line of a log up to its first seal.
    static let emptyRecordLine =
        #"{"hash":"\#(Digest256.zero)","prev":"\#(Digest256.zero)","record":"#
        + head
        + #"},"meta":{"build":"1","catalogue":"1","cause":"x","node":"n"},"seq":1,"#
        + #""stream":"0192f0c1-7c1e-7d3a-9b1e-0a1b2c3d4e5f","type":"other","v":1},"seals":["#
}
