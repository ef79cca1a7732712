// The layers below this module are targets of their own, so that the compiler proves what each may
// use. To whoever imports this module, their declarations are its own.

@_exported public import EventStores
@_exported public import PaymentPages
@_exported public import SwedbankPayHTTP
@_exported public import UVTransport
