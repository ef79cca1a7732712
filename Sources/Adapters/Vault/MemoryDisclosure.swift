internal import CUV
internal import Glibc

/// What the system shows of a process's memory when it crashes, or to whoever asks.
///
/// While a session is driven, its secrets are in memory in the clear, and so is the master key.
public enum MemoryDisclosure {
    /// Keeps this process's memory out of core dumps, out of crash reports and from other processes of the same user.
    ///
    /// Three things, since none does for the others: the size of core files becomes 0; the process becomes one that is
    /// not dumped, also not to a program that the system pipes dumps to (which that size does not bind), and that only
    /// the superuser may trace; and a crash ends it without Swift's report, which shows what registers point to. To be
    /// called first of all: processes that it starts have the first from it, and the other two only until they
    /// run another program.
    ///
    /// - Returns: Whether the first two took; the third can't fail.
    @discardableResult
    public static func forbid() -> Bool {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        let hasLimit = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) == 0
        let isPrivate = cuv_set_dumpable(0) == 0 && cuv_is_dumpable() == 0
        for crash in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV] {
            signal(crash, SIG_DFL)
        }
        return hasLimit && isPrivate
    }
}
