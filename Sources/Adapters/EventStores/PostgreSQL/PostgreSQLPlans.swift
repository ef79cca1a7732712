/// The planner settings of the writing connection.
///
/// Its statements are prepared once and find all rows by key. By default, the server either plans
/// the appends anew each time, which takes longer than executing a small one, or keeps a plan that
/// was made when the tables were small and scans them. These settings make it keep plans and use
/// the keys whatever the size of the tables.
enum PostgreSQLPlans {
    /// Applies only settings that the server knows; it would refuse any other.
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
