/// The methods that payment orders name, in addition to those that can be paid natively.
///
/// - Note: Source: payment order model, instrument constants.
extension PaymentMethodName {
    /// Vipps.
    public static let vipps = PaymentMethodName(rawValue: "Vipps")
    /// MobilePay.
    public static let mobilePay = PaymentMethodName(rawValue: "MobilePay")
    /// Trustly, which is offered in the menu only when the order has a payment URL.
    public static let trustly = PaymentMethodName(rawValue: "Trustly")
    /// Volvofinans CarPay.
    public static let carPay = PaymentMethodName(rawValue: "CarPay")
    /// Invoice in Sweden.
    public static let invoiceSweden = PaymentMethodName(rawValue: "Invoice-PayExFinancingSe")
    /// Invoice in Norway.
    public static let invoiceNorway = PaymentMethodName(rawValue: "Invoice-PayExFinancingNo")
    /// Monthly invoice in Sweden, as the mobile SDKs spell it.
    public static let monthlyInvoiceSweden = PaymentMethodName(
        rawValue: "Invoice-PayExMonthlyInvoiceSe"
    )
    /// Monthly invoice in Sweden, as the PSP's documentation spells it.
    public static let payMonthlyInvoiceSweden = PaymentMethodName(
        rawValue: "Invoice-PayMonthlyInvoiceSe"
    )
    /// Credit account.
    public static let creditAccount = PaymentMethodName(rawValue: "CreditAccount")
    /// Credit account in Sweden.
    public static let creditAccountSweden = PaymentMethodName(
        rawValue: "CreditAccount-CreditAccountSe"
    )

    /// The documented methods; others exist and must be accepted.
    public static let documented: [PaymentMethodName] =
        (Instrument.forAttempts.compactMap(\.method) + [
            .vipps, .mobilePay, .trustly, .carPay, .invoiceSweden, .invoiceNorway,
            .monthlyInvoiceSweden, .payMonthlyInvoiceSweden, .creditAccount, .creditAccountSweden,
        ]).withoutRepetition
}
