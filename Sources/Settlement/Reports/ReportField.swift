internal import EventLog

/// A field of a row in a transaction list, with all names that the formats have for it.
///
/// The raw value is the name in version 2. Case and spaces do not matter when a name is looked up:
/// the versions, formats and the PSP's own description spell names differently.
///
/// - Note: Source: settlement and reconciliation, transaction list; the PSP's published samples.
package enum ReportField: String, CaseIterable, Sendable {
    case account = "PayExAccountNo"
    case orderIdentity = "OrderIdentity"
    case transactionIdentity = "TransactionIdentity"
    case amount = "Amount"
    case currency = "Currency"
    case vatAmount = "VATAmount"
    case vatPercentage = "VatPercentage"
    case created = "DateCreated"
    case modified = "DateModified"
    case service = "ServiceName"
    case provider = "Provider"
    case number = "PayexTransactionNo"
    case batch = "PayexBatchNo"
    case subsite = "Subsite"
    case subsiteDescription = "SubsiteDescription"
    case referenced = "ReferencedTransaction"
    case external = "ExternalTransactionReference"
    case bankReference = "Reference"
    case cardBatch = "CreditCardBatchNo"
    case description = "Description"
    case productCategory = "ProductCategory"
    case salesChannel = "SalesChannel"
    case brand = "Brand"
    case pointOfSale = "PointOfSale"

    /// The names in version 1, and in the description, that differ by more than case and spaces.
    private var otherNames: [String] {
        switch self {
        case .account: ["payexaccountnumber", "swedbankaccountno"]
        case .orderIdentity: ["orderid"]
        case .service: ["type"]
        case .number: ["transactionno", "transactionnumber"]
        case .batch: ["payexbatchnumber", "swedbankbatchno"]
        case .referenced: ["referencedtransactionnumber"]
        case .external: ["directdebitbankref", "directdebitbankreference"]
        case .cardBatch: ["creditcardbatchnumber"]
        case .productCategory: ["merchantproductno", "productnumber"]
        case .vatPercentage: ["vatopercentage"]
        case .transactionIdentity, .amount, .currency, .vatAmount, .created, .modified, .provider,
            .subsite, .subsiteDescription, .bankReference, .description, .salesChannel, .brand,
            .pointOfSale:
            []
        }
    }

    private static let all: [String: ReportField] = Dictionary(
        allCases.flatMap { field in
            ([key(field.rawValue)] + field.otherNames).map { ($0, field) }
        }
    ) { first, _ in first }

    /// Finds the field of a name; `nil` for a name that no known format has.
    init?(named name: String) {
        guard let field = Self.all[Self.key(name)] else { return nil }
        self = field
    }

    /// A name without spaces and in lower case.
    static func key(_ name: String) -> String {
        String(decoding: name.utf8.filter { $0 != 0x20 }.map(\.lowercasedASCII), as: UTF8.self)
    }
}
