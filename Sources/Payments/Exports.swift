// The types in this module's declarations, those that make a payment order, and the vaults, so that
// `import Payments` suffices to use them. The other declarations are in the modules themselves,
// which can be imported as well.

@_exported public import struct Adapters.EnvironmentVault
@_exported public import struct Adapters.KeyCommandVault
@_exported public import struct Adapters.KeyFileVault
@_exported public import struct Adapters.OrderPayment
@_exported public import struct Adapters.Page
@_exported public import enum Adapters.PageError
@_exported public import struct Adapters.PageReporting
@_exported public import struct Adapters.PageWords
@_exported public import struct Adapters.PostgreSQLOptions
@_exported public import struct Adapters.SQLiteOptions
@_exported public import protocol Adapters.Transport
@_exported public import struct Adapters.TransportConfiguration
@_exported public import enum EventLog.JSONValue
@_exported public import protocol EventLog.KeyVault
@_exported public import struct EventLog.SequenceNumber
@_exported public import struct EventLog.SessionID
@_exported public import struct Inspection.ActionView
@_exported public import struct Inspection.SessionView
@_exported public import struct SwedbankPay.ActionID
@_exported public import typealias SwedbankPay.AttemptRequest
@_exported public import struct SwedbankPay.CheckoutRequest
@_exported public import enum SwedbankPay.ClientReport
@_exported public import enum SwedbankPay.Instrument
@_exported public import enum SwedbankPay.InvalidAmount
@_exported public import struct SwedbankPay.Language
@_exported public import struct SwedbankPay.MSISDN
@_exported public import enum SwedbankPay.MenuMode
@_exported public import struct SwedbankPay.Money
@_exported public import struct SwedbankPay.MoneyState
@_exported public import struct SwedbankPay.OrderItem
@_exported public import struct SwedbankPay.OrderTransaction
@_exported public import enum SwedbankPay.Outcome
@_exported public import struct SwedbankPay.PayeeInfo
@_exported public import struct SwedbankPay.Payer
@_exported public import enum SwedbankPay.PaymentChoice
@_exported public import struct SwedbankPay.PaymentConfiguration
@_exported public import typealias SwedbankPay.PaymentEngine
@_exported public import struct SwedbankPay.PaymentMethodName
@_exported public import struct SwedbankPay.PaymentOrder
@_exported public import struct SwedbankPay.PaymentOrderPurpose
@_exported public import struct SwedbankPay.PaymentOrderURLs
@_exported public import protocol SwedbankPay.PaymentProvider
@_exported public import typealias SwedbankPay.PreferenceRequest
@_exported public import enum SwedbankPay.Rejection
