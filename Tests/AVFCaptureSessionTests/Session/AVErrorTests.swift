import AVFCapture
import AVFCore
import Foundation
import Testing

@Suite("AVError")
struct AVErrorTests {
  private func fail(_ code: AVError.Code) throws { throw AVError(code) }

  @Test
  func `it is caught as AVError with its typed code`() {
    do {
      try fail(.diskFull)
    } catch let error as AVError where error.code == .diskFull {
      switch error.code {
      case .diskFull: break
      default: Issue.record("wrong code")
      }
    } catch {
      Issue.record("not an AVError: \(error)")
    }
  }

  @Test
  func `it is caught by its code alone`() {
    do {
      try fail(.mediaServicesWereReset)
    } catch AVError.mediaServicesWereReset {
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test
  func `it is caught as NSError with Apple's number and domain`() {
    do {
      try fail(.deviceWasDisconnected)
    } catch let error as NSError {
      #expect(error.code == -11808)
      #expect(error.domain == AVFoundationErrorDomain)
      #expect(error.localizedDescription.hasSuffix("."))
      #expect(error.localizedRecoverySuggestion?.isEmpty == false)
    }
  }

  @Test
  func `it survives user info and a plain NSError`() {
    let information: [AnyHashable: Any] = [AVCaptureSessionErrorKey: AVError(.sessionNotRunning)]
    let error = information[AVCaptureSessionErrorKey] as? AVError
    #expect(error?.code == .sessionNotRunning)
    let plain = NSError(domain: AVFoundationErrorDomain, code: -11819)
    #expect(AVError(_nsError: plain).code == .mediaServicesWereReset)
  }

  @Test
  func `a sentence of its own replaces the code's`() {
    let error = AVError(.unknown, because: "The lamp is broken because it fell; buy another.")
    #expect(error.localizedDescription == "The lamp is broken because it fell; buy another.")
  }
}
