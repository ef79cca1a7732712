// The README's service as a process of its own, which a test kills.
//
//     ReadmeService FOLDER URL     pays the session; prints the app link that the payer is to open, and waits
//     ReadmeService FOLDER         starts, as after a crash, and is asked nothing
//
// It talks to a sandbox on this machine, and runs until it is killed.

import Glibc
import Inspection
import SwedbankPay

/// Prints a line at once, so that a kill can't hold back what was said.
func say(_ words: String) {
    let line = Array((words + "\n").utf8)
    _ = line.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
}

/// Waits for the kill.
func waitForEver() async throws -> Never {
    while true { try await Task.sleep(for: .seconds(3600)) }
}

let payments = try await Payments(folder: CommandLine.arguments[1], isSandbox: true)
if CommandLine.arguments.count > 2 {
    _ = try await payments.pay(CommandLine.arguments[2], isSandbox: true) { action in
        guard case .text(let link) = action.members.first?.value else { return .launchFailed }
        say(link)
        try await waitForEver()
    }
}
try await waitForEver()
