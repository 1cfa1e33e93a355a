internal import CImageCodecs
internal import Foundation

/// Calls a codec on the bytes of a file.
///
/// - Parameters:
///   - failure: The error for the message of a call that does not return 0.
///   - body: Gets the bytes, their count, and room for the message.
func codecInput(
  _ file: Data, _ failure: (String) -> StillCodecError,
  _ body: (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<CChar>) -> Int32
) throws {
  var message = [CChar](repeating: 0, count: Int(CAM_MESSAGE_SIZE))
  let result = file.withUnsafeBytes { bytes in
    body(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, &message)
  }
  guard result == 0 else { throw failure(text(of: message)) }
}

/// Runs a codec that allocates its result and takes the memory over without a copy.
func codecOutput(
  _ failure: String,
  _ body: (
    UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<Int>, UnsafeMutablePointer<CChar>
  )
    -> Int32
) throws -> Data {
  var bytes: UnsafeMutablePointer<UInt8>?
  var size = 0
  var message = [CChar](repeating: 0, count: Int(CAM_MESSAGE_SIZE))
  let result = body(&bytes, &size, &message)
  guard result == 0, let bytes else {
    throw StillCodecError(.codecFailed, "\(failure): \(text(of: message)).")
  }
  return Data(bytesNoCopy: bytes, count: size, deallocator: .free)
}

/// The sentence a codec left, without its final full stop.
func text(of message: [CChar]) -> String {
  let text = String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  return text.hasSuffix(".") ? String(text.dropLast()) : text.isEmpty ? "the codec gave no reason" : text
}
