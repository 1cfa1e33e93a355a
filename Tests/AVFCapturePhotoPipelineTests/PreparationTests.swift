import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Foundation
import FoundationExtras
import ImageIO
import Linux
import Testing

extension DeviceSuites {
  @Suite("Prepared photo settings")
  struct Preparation {
    /// The arguments that a completion handler was called with.
    private final class Answers: Sendable {
      let list = Monitor<[(isPrepared: Bool, error: AVError.Code?)]>([])

      @Sendable func note(_ isPrepared: Bool, _ error: (any Error)?) {
        list.withLock { $0.append((isPrepared, (error as? AVError)?.code)) }
      }

      func wait(for count: Int = 1) -> [Bool]? {
        list.wait(
          until: MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000), for: { $0.count >= count },
          then: { $0.map(\.isPrepared) })
      }
    }

    private func settings(_ codec: AVVideoCodecType = .jpeg) -> AVCapturePhotoSettings {
      AVCapturePhotoSettings(format: [AVVideoCodecKey: codec])
    }

    private func waitForRequest(_ stage: ScriptedStage, count: Int) -> Bool {
      stage.settle()
      return stage.camera.requests.count == count
    }

    @Test func `preparing takes one still without flash and calls only the handler`() throws {
      let stage = try ScriptedStage()
      let answers = Answers()
      let flashed = settings()
      flashed.flashMode = .on
      stage.output.setPreparedPhotoSettingsArray([flashed, settings(.hevc)], completionHandler: answers.note)
      #expect(stage.camera.requests == [StillRequest(size: ScriptedCamera.size)])
      #expect(answers.list.withLock { $0.isEmpty })
      stage.camera.expose()
      #expect(answers.wait() == [true])
      #expect(stage.delegate.steps.withLock { $0.isEmpty })
      #expect(stage.output.preparedPhotoSettingsArray.map(\.processedFileType) == [.jpg, .heic])
    }

    @Test func `prepared settings may be captured`() throws {
      let stage = try ScriptedStage()
      let wish = settings()
      stage.output.setPreparedPhotoSettingsArray([wish])
      stage.camera.expose()
      stage.press(wish)
      stage.camera.expose()
      #expect(stage.delegate.wait())
      #expect(stage.delegate.errors.withLock { $0.isEmpty })
    }

    @Test func `before the session runs it waits, and is done with the first frame`() throws {
      let stage = try ScriptedStage()
      stage.session.stopRunning()
      let answers = Answers()
      stage.output.setPreparedPhotoSettingsArray([settings()], completionHandler: answers.note)
      #expect(stage.camera.requests.isEmpty)
      stage.session.startRunning()
      stage.camera.streamFrame()
      #expect(waitForRequest(stage, count: 1))
      #expect(answers.list.withLock { $0.isEmpty })
      stage.camera.expose()
      #expect(answers.wait() == [true])
    }

    @Test func `a session that stops in between keeps the handler for the next start`() throws {
      let stage = try ScriptedStage()
      let answers = Answers()
      stage.output.setPreparedPhotoSettingsArray([settings()], completionHandler: answers.note)
      stage.session.stopRunning()
      stage.session.startRunning()
      stage.camera.streamFrame()
      #expect(stage.camera.expose { answers.list.withLock { !$0.isEmpty } })
      #expect(answers.wait() == [true])
    }

    @Test func `setting anew calls the former handler with false and no error`() throws {
      let stage = try ScriptedStage()
      let (first, second) = (Answers(), Answers())
      stage.output.setPreparedPhotoSettingsArray([settings()], completionHandler: first.note)
      stage.output.setPreparedPhotoSettingsArray([settings(.hevc)], completionHandler: second.note)
      #expect(first.wait() == [false])
      #expect(first.list.withLock { $0.first?.error } == .some(nil))
      #expect(stage.camera.expose { second.list.withLock { !$0.isEmpty } })
      #expect(second.wait() == [true])
      #expect(first.list.withLock { $0.count } == 1)
      #expect(stage.output.preparedPhotoSettingsArray.map(\.processedFileType) == [.heic])
    }

    @Test func `settings that would fail are reported, and are no mistake yet`() throws {
      let stage = try ScriptedStage { $0.flashModes = [] }
      let answers = Answers()
      let wish = settings()
      wish.flashMode = .on
      stage.output.setPreparedPhotoSettingsArray([wish], completionHandler: answers.note)
      #expect(answers.wait() == [false])
      #expect(answers.list.withLock { $0.first?.error } == .unknown)
      #expect(stage.camera.requests.isEmpty)
    }

    @Test func `nothing is prepared at once`() async throws {
      let stage = try ScriptedStage()
      #expect(try await stage.output.setPreparedPhotoSettingsArray([]))
      #expect(stage.output.preparedPhotoSettingsArray.isEmpty)
      #expect(stage.camera.requests.isEmpty)
    }
  }

  @Suite("Photos as sample buffers")
  struct PhotoSampleBuffers {
    /// A delegate as they were written before `AVCapturePhoto`.
    private final class OldDelegate: NSObject, AVCapturePhotoCaptureDelegate, Sendable {
      struct Heard: @unchecked Sendable {  // Safe because the buffers are not written to.
        var sample: CMSampleBuffer?
        var preview: CMSampleBuffer?
        var bracket: AVCaptureBracketedStillImageSettings?
        var error: (any Error)?
      }

      let heard = Locked<[Heard]>([])
      let ends = Monitor(0)

      func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photoSampleBuffer: CMSampleBuffer?,
        previewPhoto previewPhotoSampleBuffer: CMSampleBuffer?,
        resolvedSettings: AVCaptureResolvedPhotoSettings,
        bracketSettings: AVCaptureBracketedStillImageSettings?, error: (any Error)?
      ) {
        heard.withLock {
          $0.append(
            Heard(
              sample: photoSampleBuffer, preview: previewPhotoSampleBuffer, bracket: bracketSettings,
              error: error))
        }
      }

      func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishCaptureFor settings: AVCaptureResolvedPhotoSettings,
        error: (any Error)?
      ) {
        ends.withLock { $0 += 1 }
      }
    }

    private func take(_ settings: AVCapturePhotoSettings) throws -> [OldDelegate.Heard] {
      let stage = try ScriptedStage()
      let delegate = OldDelegate()
      stage.output.capturePhoto(with: settings, delegate: delegate)
      #expect(stage.camera.expose { delegate.ends.withLock { $0 == 1 } })
      return delegate.heard.withLock { $0 }
    }

    @Test func `a delegate of the older form gets a JPEG that becomes a file`() throws {
      let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
      settings.previewPhotoFormat = [
        kCVPixelBufferPixelFormatTypeKey as String: settings.availablePreviewPhotoPixelFormatTypes[0]
      ]
      let heard = try take(settings)
      #expect(heard.count == 1)
      let sample = try #require(heard.first?.sample), preview = try #require(heard.first?.preview)
      #expect(sample.formatDescription?.dimensions.width == 64)
      #expect(CMGetAttachment(sample, key: "{Exif}" as CFString, attachmentModeOut: nil) != nil)
      let plain = try #require(
        AVCapturePhotoOutput.jpegPhotoDataRepresentation(
          forJPEGSampleBuffer: sample, previewPhotoSampleBuffer: nil))
      let source = try #require(CGImageSourceCreateWithData(plain, nil))
      #expect(CGImageSourceCreateImageAtIndex(source, 0, nil)?.width == 64)
      let withThumbnail = try #require(
        AVCapturePhotoOutput.jpegPhotoDataRepresentation(
          forJPEGSampleBuffer: sample, previewPhotoSampleBuffer: preview))
      let other = try #require(CGImageSourceCreateWithData(withThumbnail, nil))
      #expect(withThumbnail.count > plain.count)
      #expect(CGImageSourceCreateThumbnailAtIndex(other, 0, nil) != nil)
      let properties = CGImageSourceCopyPropertiesAtIndex(other, 0, nil)
      #expect(properties?["{Exif}"] != nil)
      #expect(
        AVCapturePhotoOutput.jpegPhotoDataRepresentation(
          forJPEGSampleBuffer: preview, previewPhotoSampleBuffer: nil) == nil)
    }

    @Test func `an uncompressed photo is a picture`() throws {
      let heard = try take(
        AVCapturePhotoSettings(format: [
          kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA
        ]))
      let picture = try #require(heard.first?.sample?.imageBuffer)
      #expect(CVPixelBufferGetPixelFormatType(picture) == kCVPixelFormatType_32BGRA)
    }

    @Test func `a HEIC photo is an error in the older form`() throws {
      let heard = try take(AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.hevc]))
      #expect(heard.count == 1 && heard.first?.sample == nil && heard.first?.error != nil)
    }

    @Test func `a bracket's settings come along`() throws {
      let bracket = AVCapturePhotoBracketSettings(
        rawPixelFormatType: 0, processedFormat: nil,
        bracketedSettings: [-1, 1].map {
          AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(exposureTargetBias: $0)
        })
      let heard = try take(bracket)
      #expect(heard.count == 2)
      for (one, asked) in zip(heard, bracket.bracketedSettings) { #expect(one.bracket === asked) }
    }
  }
}
