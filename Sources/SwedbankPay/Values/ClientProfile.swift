/// How the engine presents itself and the payer's device to the PSP.
///
/// - Note: Source: payment session API, prepare-payment; numbers are sent as numbers.
public struct ClientProfile: Hashable, Sendable {
    /// `client.userAgent`.
    public var userAgent = "payment-workflow/1"
    /// `integration`.
    public var integration = "App"
    /// `deviceAcceptedWallets`, joined by semicolons.
    public var acceptedWallets = Instrument.acceptedWallets
    /// `client.screenHeight`, in pixels.
    public var screenHeight = 2400
    /// `client.screenWidth`, in pixels.
    public var screenWidth = 1080
    /// `client.screenColorDepth`, in bits.
    public var screenColorDepth = 24
    /// `browser.acceptHeader`.
    public var acceptHeader = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    /// `browser.language`, a BCP 47 tag.
    public var language = "sv-SE"
    /// `browser.timeZoneOffset`: minutes east of Greenwich.
    public var timeZoneOffsetMinutes = 60
    /// `service.name`.
    public var serviceName = "payment-workflow"
    /// `service.version`.
    public var serviceVersion = "1"
    /// `presentationSdk.name`.
    public var presentationName = "Server"
    /// `presentationSdk.version`.
    public var presentationVersion = "1"

    /// Creates a profile with the default values.
    public init() {}
}
