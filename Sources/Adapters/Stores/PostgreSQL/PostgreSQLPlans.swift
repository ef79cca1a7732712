/// How the server plans the statements of the connection that writes.
///
/// They are prepared once and all look rows up by key. Left to itself the server plans the appends anew each time, which takes
/// it longer than doing a small one; or, told to keep a plan, it keeps one that was made when the tables were small and
/// reads them from end to end. So it keeps plans, and is told to use the keys whatever the tables look like.
enum PostgreSQLPlans {
    /// Sets what the server knows; the setting of a name that it doesn't know would be refused.
    static let ofWriter = PQStatement(
        "plans",
        """
        SELECT set_config(wanted.name, wanted.setting, false)
        FROM (VALUES ('plan_cache_mode', 'force_generic_plan'), ('enable_seqscan', 'off'),
            ('enable_hashjoin', 'off'), ('enable_mergejoin', 'off'), ('jit', 'off'))
            AS wanted (name, setting)
        WHERE wanted.name IN (SELECT name FROM pg_settings)
        """
    )
}
