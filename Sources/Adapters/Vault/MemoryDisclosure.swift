internal import CUV
internal import Glibc

/// Protects the process's memory from core dumps, crash reports and other processes.
///
/// While a session is driven, its secrets and the master key are in memory in the clear text.
public enum MemoryDisclosure {
    /// Keeps this process's memory out of core dumps, crash reports and the reach of other
    /// processes of the same user.
    ///
    /// It takes three measures, since none covers the others: the size limit of core files becomes
    /// 0; the process becomes non-dumpable, which also covers programs to which the system pipes
    /// dumps (the size limit does not bind those) and restricts tracing to the superuser; and a
    /// crash ends it without Swift's report, which shows the memory that registers point to. Call
    /// it before anything else: child processes inherit the first measure, but keep the other two
    /// only until they execute another program.
    ///
    /// - Returns: Whether the first two measures succeeded; the third cannot fail.
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
