public import Foundation
internal import Glibc

extension Process {
    /// Waits on this thread for the end of the process.
    ///
    /// On another thread than the one that started it, `waitUntilExit` alone asks again and again
    /// whether the process runs, which keeps a processor busy.
    public func waitForEnd() {
        var ended = siginfo_t()
        while waitid(P_PID, id_t(processIdentifier), &ended, WEXITED | WNOWAIT) != 0, errno == EINTR
        {}
        waitUntilExit()
    }
}
