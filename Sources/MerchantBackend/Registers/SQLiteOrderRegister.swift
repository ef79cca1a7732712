internal import Adapters
public import EventLog
internal import SwedbankPay

/// Stores orders and callbacks in a SQLite file that only the owner of the process can read.
///
/// What was stored is on disk when the call returns. Several processes of a service may share the
/// file.
public final class SQLiteOrderRegister: OrderRegister {
    private let desk: SQLiteDesk

    /// Opens a register, and creates the file when it does not exist.
    ///
    /// - Parameters:
    ///   - path: The file; not that of the sessions' store.
    ///   - busyTimeout: How long to wait for another process that writes.
    /// - Throws: When the file can't be opened, is another kind of database, or was written by a
    ///   newer build.
    public init(path: String, busyTimeout: Duration = .seconds(5)) async throws(EventStoreError) {
        desk = try await SQLiteDesk(
            path: path,
            form: SQLiteDesk.Form(applicationID: Self.applicationID, tables: Self.tables),
            busyTimeout: busyTimeout
        )
    }

    /// Completes waiting operations and closes the file.
    public func close() async { await desk.close() }

    /// Stores an order.
    public func keep(_ order: RegisteredOrder) async throws {
        try await desk.work(writes: true) { connection throws(SQLiteFailure) in
            let row = try connection.statement(
                """
                INSERT INTO orders (id, name, owner, payee_reference, instrument_mode)
                VALUES (?1, ?2, ?3, ?4, ?5)
                ON CONFLICT (id) DO UPDATE SET name = ?2, owner = ?3, payee_reference = ?4,
                instrument_mode = ?5
                """
            )
            row.bind(text: order.id, at: 1)
            row.bind(text: order.name, at: 2)
            row.bind(text: order.owner, at: 3)
            row.bind(text: order.payeeReference, at: 4)
            row.bind(order.isInstrumentMode ? 1 : 0, at: 5)
            try row.run()
            let clearing = try connection.statement("DELETE FROM links WHERE order_id = ?1")
            clearing.bind(text: order.id, at: 1)
            try clearing.run()
            let link = try connection.statement(
                "INSERT INTO links (order_id, place, rel, method, href) VALUES (?1, ?2, ?3, ?4, ?5)"
            )
            for (place, each) in order.links.enumerated() {
                link.bind(text: order.id, at: 1)
                link.bind(Int64(place), at: 2)
                link.bind(text: each.rel, at: 3)
                link.bind(text: each.method, at: 4)
                link.bind(text: each.href, at: 5)
                try link.run()
            }
        }
    }

    /// The order with a key.
    public func order(_ key: OrderKey) async throws -> RegisteredOrder? {
        try await desk.work(writes: false) { connection throws(SQLiteFailure) in
            let condition: String
            let wanted: String
            switch key {
            case .id(let id): (condition, wanted) = ("id = ?1", id)
            case .name(let name): (condition, wanted) = ("name = ?1", name)
            case .href(let href):
                (condition, wanted) = (
                    "id = (SELECT order_id FROM links WHERE href = ?1 LIMIT 1)", href
                )
            }
            let row = try connection.statement(
                "SELECT id, name, owner, payee_reference, instrument_mode FROM orders WHERE "
                    + condition
            )
            defer { row.reset() }
            row.bind(text: wanted, at: 1)
            guard try row.step(), let id = row.text(0), let name = row.text(1),
                let owner = row.text(2), let reference = row.text(3)
            else { return nil }
            return RegisteredOrder(
                id: id,
                name: name,
                owner: owner,
                payeeReference: reference,
                links: try Self.links(of: id, on: connection),
                isInstrumentMode: row.integer(4) != 0
            )
        }
    }

    /// Whether a callback was recorded.
    public func hasReceived(_ receipt: CallbackReceipt) async throws -> Bool {
        try await desk.work(writes: false) { connection throws(SQLiteFailure) in
            let row = try connection.statement(
                """
                SELECT 1 FROM callbacks WHERE order_id = ?1 AND ifnull(number, -1) = ifnull(?2, -1)
                """
            )
            defer { row.reset() }
            row.bind(text: receipt.orderID, at: 1)
            row.bind(receipt.number, at: 2)
            return try row.step()
        }
    }

    /// Records a callback with the current time.
    public func record(_ receipt: CallbackReceipt) async throws {
        try await desk.work(writes: true) { connection throws(SQLiteFailure) in
            let row = try connection.statement(
                """
                INSERT OR IGNORE INTO callbacks (order_id, number, source, received_at)
                VALUES (?1, ?2, ?3, CAST(strftime('%s', 'now') AS INTEGER))
                """
            )
            row.bind(text: receipt.orderID, at: 1)
            row.bind(receipt.number, at: 2)
            row.bind(text: receipt.source, at: 3)
            try row.run()
        }
    }

    private static func links(
        of id: String,
        on connection: SQLiteConnection
    ) throws(SQLiteFailure) -> [RegisteredOrder.Link] {
        let row = try connection.statement(
            "SELECT rel, method, href FROM links WHERE order_id = ?1 ORDER BY place"
        )
        defer { row.reset() }
        row.bind(text: id, at: 1)
        var links: [RegisteredOrder.Link] = []
        while try row.step() {
            guard let rel = row.text(0), let method = row.text(1), let href = row.text(2) else {
                continue
            }
            links.append(RegisteredOrder.Link(rel: rel, method: method, href: href))
        }
        return links
    }

    /// `PAYO` in ASCII.
    private static let applicationID: Int32 = 0x5041_594F

    private static let tables = """
        CREATE TABLE orders (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            owner TEXT NOT NULL,
            payee_reference TEXT NOT NULL UNIQUE,
            instrument_mode INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE links (
            order_id TEXT NOT NULL REFERENCES orders (id),
            place INTEGER NOT NULL,
            rel TEXT NOT NULL,
            method TEXT NOT NULL,
            href TEXT NOT NULL,
            PRIMARY KEY (order_id, place)
        ) WITHOUT ROWID;
        CREATE INDEX links_href ON links (href);
        CREATE TABLE callbacks (
            key INTEGER PRIMARY KEY,
            order_id TEXT NOT NULL REFERENCES orders (id),
            number INTEGER,
            source TEXT,
            received_at INTEGER NOT NULL
        );
        CREATE UNIQUE INDEX callbacks_number ON callbacks (order_id, ifnull(number, -1))
        """
}
