import Foundation

/// Ends this process, as a crash would, soon after its parent has ended.
///
/// The kernel's own signal for that (`PR_SET_PDEATHSIG`) comes when the *thread* that started this
/// process ends, which a thread pool does at any time; so a thread polls the parent's identifier.
func endWithParent() {
    let parent = getppid()
    Thread.detachNewThread {
        while getppid() == parent { usleep(200_000) }
        kill(getpid(), SIGKILL)
    }
}
