import Foundation

/// Kills this process shortly after its parent process has ended.
///
/// The kernel's signal for this purpose (`PR_SET_PDEATHSIG`) is sent when the *thread* ends that
/// started this process, which a thread pool does at any time; therefore a thread polls the
/// parent's process identifier.
func endWithParent() {
    let parent = getppid()
    Thread.detachNewThread {
        while getppid() == parent { usleep(200_000) }
        kill(getpid(), SIGKILL)
    }
}
