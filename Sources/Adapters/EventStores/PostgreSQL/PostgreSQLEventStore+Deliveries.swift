public import EventLog

extension PostgreSQLEventStore {
    private static let undelivered = PQStatement(
        "undelivered",
        """
        SELECT s.id::text FROM sessions s
        LEFT JOIN deliveries d ON d.session = s.id AND d.consumer = $1
        WHERE s.opened_at >= $2 AND ($3 IS NULL OR s.id > $3::text::uuid)
            AND s.last_seq > coalesce(d.position, 0)
            AND (d.worker IS NULL OR d.claimed_until <= $4)
        ORDER BY s.id LIMIT $5
        """,
        .text,
        .integer,
        .text,
        .integer,
        .integer
    ).plannedEachTime
    private static let claim = PQStatement(
        "delivery_claim",
        """
        INSERT INTO deliveries AS d (session, consumer, position, dropped, worker, claimed_until)
        SELECT id, $2, 0, 0, $3, $4 FROM sessions WHERE id = $1::text::uuid
        ON CONFLICT (session, consumer) DO UPDATE
            SET worker = excluded.worker, claimed_until = excluded.claimed_until
            WHERE d.worker IS NULL OR d.worker = excluded.worker OR d.claimed_until <= $5
        RETURNING position, dropped
        """,
        .text,
        .text,
        .integer,
        .integer,
        .integer
    )
    private static let note = PQStatement(
        "delivery_note",
        """
        UPDATE deliveries SET dropped = CASE WHEN $4 >= position THEN $5 ELSE dropped END,
            position = greatest(position, $4), worker = $6, claimed_until = $7
        WHERE session = $1::text::uuid AND consumer = $2 AND worker = $3
        RETURNING position, dropped
        """,
        .text,
        .text,
        .integer,
        .integer,
        .integer,
        .integer,
        .integer
    )

    /// Returns the sessions with records that a consumer has not received yet, oldest first;
    /// claimed ones are skipped.
    public func sessionsUndelivered(
        matching query: UndeliveredQuery
    ) async throws(EventStoreError) -> [SessionID] {
        let found = try await rows(
            PQCommand(
                Self.undelivered,
                .text(query.consumer),
                .integer(query.openedSince.microseconds),
                .optional(query.after?.description),
                .integer(query.now.microseconds),
                .integer(Int64(max(0, query.limit)))
            )
        )[0]
        return (0..<found.count).compactMap { found.text($0, 0).flatMap { SessionID($0) } }
    }

    /// Changes a consumer's progress in one transaction.
    public func changeDeliveries(
        _ changes: [DeliveryChange],
        by claim: DeliveryClaim,
        at now: Instant
    ) async throws(EventStoreError) -> [DeliveryProgress?] {
        try checkOpen()
        guard !isReadOnly else { throw .readOnly }
        guard !changes.isEmpty else { return [] }
        let commands = changes.map { change in
            switch change {
            case .claim(let session):
                PQCommand(
                    Self.claim,
                    .text("\(session)"),
                    .text(claim.consumer),
                    .integer(claim.worker),
                    .integer(claim.until.microseconds),
                    .integer(now.microseconds)
                )
            case .advance(let session, let progress):
                Self.note(progress, of: session, claim, keeps: true)
            case .release(let session, let progress):
                Self.note(progress, of: session, claim, keeps: false)
            }
        }
        do throws(PQFailure) {
            return try await pool.writer().run(commands).map { rows in
                guard let position = rows.sequence(0, 0), let dropped = rows.integer(0, 1) else {
                    return nil
                }
                return DeliveryProgress(position: position, dropped: dropped)
            }
        } catch {
            throw error.storeError
        }
    }

    private static func note(
        _ progress: DeliveryProgress,
        of session: SessionID,
        _ claim: DeliveryClaim,
        keeps: Bool
    ) -> PQCommand {
        PQCommand(
            note,
            .text("\(session)"),
            .text(claim.consumer),
            .integer(claim.worker),
            .sequence(progress.position),
            .integer(progress.dropped),
            keeps ? .integer(claim.worker) : .null,
            keeps ? .integer(claim.until.microseconds) : .null
        )
    }
}
