public import Foundation

/// One of several places that an input or output takes its sound from, such as a microphone at the bottom of a phone.
///
/// No port here has any: each microphone of Linux is a port of its own. Apple: `AVAudioSessionDataSourceDescription`.
public final class AVAudioSessionDataSourceDescription: NSObject, Sendable {
  /// The number of the place.
  ///
  /// Apple: `AVAudioSessionDataSourceDescription.dataSourceID`.
  public let dataSourceID: NSNumber
  /// The name of the place for people.
  ///
  /// Apple: `AVAudioSessionDataSourceDescription.dataSourceName`.
  public let dataSourceName: String

  init(dataSourceID: NSNumber, dataSourceName: String) {
    self.dataSourceID = dataSourceID
    self.dataSourceName = dataSourceName
    super.init()
  }
}

extension AVAudioSession {
  /// The places that the present input may take its sound from: `nil`, it has one.
  ///
  /// Apple: `AVAudioSession.inputDataSources`.
  public var inputDataSources: [AVAudioSessionDataSourceDescription]? { nil }

  /// The place that it takes its sound from: `nil`, there is no choice.
  ///
  /// Apple: `AVAudioSession.inputDataSource`.
  public var inputDataSource: AVAudioSessionDataSourceDescription? { nil }

  /// Chooses a place; `nil` is what there is.
  ///
  /// - Throws: `badParam` for a place: there is none to choose.
  ///
  /// Apple: `AVAudioSession.setInputDataSource(_:)`.
  public func setInputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
    guard let dataSource else { return }
    throw ErrorCode.badParam.error(
      "\(dataSource.dataSourceName) is no place of the present input.", "Choose among inputDataSources.")
  }
}

extension AVAudioSessionPortDescription {
  /// The places that the port may take its sound from: `nil`, it has one.
  ///
  /// Apple: `AVAudioSessionPortDescription.dataSources`.
  public var dataSources: [AVAudioSessionDataSourceDescription]? { nil }

  /// The place that it takes its sound from: `nil`, there is no choice.
  ///
  /// Apple: `AVAudioSessionPortDescription.selectedDataSource`.
  public var selectedDataSource: AVAudioSessionDataSourceDescription? { nil }
}
