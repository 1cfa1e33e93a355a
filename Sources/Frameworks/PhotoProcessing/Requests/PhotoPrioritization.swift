/// The weight of a photo's quality against its time, with the numbers of `AVCapturePhotoOutput.QualityPrioritization`.
package enum PhotoPrioritization: Int, Sendable, Codable {
  case speed = 1
  case balanced, quality
}
