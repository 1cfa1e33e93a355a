/// The maker and the model of a USB device, as numbers.
struct USBIdentity: Sendable, Hashable {
  let vendor: UInt16
  let product: UInt16

  /// As `lsusb` shows it: `1d27:0601`.
  var text: String { Self.digits(vendor) + ":" + Self.digits(product) }

  private static func digits(_ number: UInt16) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: 4 - text.count) + text
  }
}
