import TestSupport
import Testing

@testable import SwedbankPay

@Suite(.feature("N-11")) struct MSISDNTests {
    @Test(arguments: ["+46739000001", "+1234567", "+123456789012345"])
    func `a phone number in international form is accepted`(text: String) {
        #expect(MSISDN(text)?.number == text)
    }

    @Test(
        arguments: [
            "", "+", "46739000001", "0739000001", "+0739000001", "+46 739000001", "+123456",
            "+1234567890123456", "+4673900000a", "+46٧٣٩٠٠٠٠٠١", "+46739000001\n", " +46739000001",
        ])
    func `any other text is refused as a phone number`(text: String) {
        #expect(MSISDN(text) == nil)
    }

    @Test func `a phone number is shown with its middle masked`() {
        #expect(MSISDN("+46739000001")?.masked == "+46•••••0001")
        #expect(MSISDN("+1234567")?.masked == "+12•••••7")
        #expect(MSISDN.masking("0739000001") == "•••••0001")
        #expect(MSISDN.masking("") == "•••••")
        #expect("\(MSISDN("+46739000001")!)" == "+46•••••0001")
    }
}
