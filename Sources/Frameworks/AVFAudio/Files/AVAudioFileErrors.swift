internal import Foundation
internal import CoreMedia
public import FoundationExtras
internal import Linux
internal import MediaFiles
internal import VideoCodecs

/// Something else went wrong: `wht?`.
public let kAudioFileUnspecifiedError: OSStatus = 0x7768_743F
/// The type of the file is not supported: `typ?`.
public let kAudioFileUnsupportedFileTypeError: OSStatus = 0x7479_703F
/// The format does not go with the file: `fmt?`.
public let kAudioFileUnsupportedDataFormatError: OSStatus = 0x666D_743F
/// It is no file of audio: `dta?`.
public let kAudioFileInvalidFileError: OSStatus = 0x6474_613F
/// The file is not allowed to be reached: `prm?`.
public let kAudioFilePermissionsError: OSStatus = 0x7072_6D3F
/// The file is closed.
public let kAudioFileNotOpenError: OSStatus = -38
/// There is no more audio.
public let kAudioFileEndOfFileError: OSStatus = -39
/// There is no such file.
public let kAudioFileFileNotFoundError: OSStatus = -43

extension AVAudioFile {
  /// The domain of the errors of audio files, players, recorders and engines, whose codes are `OSStatus`.
  ///
  /// Apple uses this domain without a name for it.
  static let errorDomain = "com.apple.coreaudio.avfaudio"

  static func error(_ code: OSStatus, _ sentence: String) -> NSError {
    NSError(domain: errorDomain, code: Int(code), userInfo: [NSLocalizedDescriptionKey: sentence])
  }

  /// Runs `body`, and says what failed as an error of audio files.
  static func explained<Result>(_ url: URL, _ body: () throws -> Result) throws -> Result {
    guard url.isFileURL else {
      throw error(kAudioFileUnsupportedFileTypeError, "\(url) is no file on this machine.")
    }
    do { return try body() } catch let error as MovieFileError {
      guard let system = error.system else {
        let code =
          error.reason == .damaged
          ? kAudioFileInvalidFileError : kAudioFileUnsupportedFileTypeError
        throw Self.error(code, error.description)
      }
      throw Self.error(code(of: system), error.description)
    } catch let error as SystemError {
      throw Self.error(code(of: error), error.description)
    } catch let error as CodecError {
      throw Self.error(kAudioFileUnsupportedDataFormatError, error.description)
    }
  }

  private static func code(of error: SystemError) -> OSStatus {
    switch error.errno {
    case ENOENT, ENOTDIR: kAudioFileFileNotFoundError
    case EACCES, EPERM, EROFS: kAudioFilePermissionsError
    default: kAudioFileUnspecifiedError
    }
  }
}

extension [String: Any] {
  /// Settings of a file with what Apple's files take for granted: 16-bit integers.
  var completed: [String: Any] {
    guard LooseNumber.code(self[AVFormatIDKey]) == kAudioFormatLinearPCM, self[AVLinearPCMBitDepthKey] == nil
    else { return self }
    return merging([AVLinearPCMBitDepthKey: 16]) { own, _ in own }
  }
}
