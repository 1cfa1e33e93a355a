internal import CVideo4Linux
internal import Glibc

extension LinuxVideoKernel {
  package func pixelFormat(
    _ handle: VideoHandle, at index: Int
  ) throws(KernelRefusal) -> VideoPixelFormat? {
    var description = v4l2_fmtdesc()
    description.index = UInt32(index)
    description.type = UInt32(V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue)
    guard try callList(.pixelFormat, handle, cam_v4l2_VIDIOC_ENUM_FMT, &description) else { return nil }
    return VideoPixelFormat(rawValue: description.pixelformat)
  }

  package func frameSizes(
    _ handle: VideoHandle, _ format: VideoPixelFormat, at index: Int
  ) throws(KernelRefusal) -> VideoRange<VideoSize>? {
    var sizes = v4l2_frmsizeenum()
    sizes.index = UInt32(index)
    sizes.pixel_format = format.rawValue
    guard try callList(.frameSizes, handle, cam_v4l2_VIDIOC_ENUM_FRAMESIZES, &sizes) else { return nil }
    if sizes.type == UInt32(V4L2_FRMSIZE_TYPE_DISCRETE.rawValue) {
      return .one(VideoSize(Int(sizes.discrete.width), Int(sizes.discrete.height)))
    }
    // The driver's list of a range has this one entry.
    if index > 0 { return nil }
    let range = sizes.stepwise
    return .steps(
      from: VideoSize(Int(range.min_width), Int(range.min_height)),
      through: VideoSize(Int(range.max_width), Int(range.max_height)),
      by: VideoSize(max(1, Int(range.step_width)), max(1, Int(range.step_height))))
  }

  package func frameDurations(
    _ handle: VideoHandle, _ format: VideoPixelFormat, _ size: VideoSize, at index: Int
  ) throws(KernelRefusal) -> VideoRange<VideoFraction>? {
    var durations = v4l2_frmivalenum()
    durations.index = UInt32(index)
    durations.pixel_format = format.rawValue
    durations.width = UInt32(size.width)
    durations.height = UInt32(size.height)
    guard try callList(.frameDurations, handle, cam_v4l2_VIDIOC_ENUM_FRAMEINTERVALS, &durations) else {
      return nil
    }
    if durations.type == UInt32(V4L2_FRMIVAL_TYPE_DISCRETE.rawValue) {
      return .one(VideoFraction(durations.discrete))
    }
    if index > 0 { return nil }
    let range = durations.stepwise
    return .steps(
      from: VideoFraction(range.min), through: VideoFraction(range.max), by: VideoFraction(range.step))
  }

  package func setLayout(
    _ handle: VideoHandle, _ layout: VideoLayout, trying: Bool
  ) throws(KernelRefusal) -> VideoLayout {
    var format = v4l2_format()
    format.type = UInt32(V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue)
    format.fmt.pix.width = UInt32(layout.size.width)
    format.fmt.pix.height = UInt32(layout.size.height)
    format.fmt.pix.pixelformat = layout.format.rawValue
    format.fmt.pix.field = UInt32(V4L2_FIELD_NONE.rawValue)
    try call(
      trying ? .tryLayout : .setLayout, handle, trying ? cam_v4l2_VIDIOC_TRY_FMT : cam_v4l2_VIDIOC_S_FMT,
      &format)
    let granted = format.fmt.pix
    let whole = [V4L2_FIELD_NONE, V4L2_FIELD_INTERLACED, V4L2_FIELD_INTERLACED_TB, V4L2_FIELD_INTERLACED_BT]
    return VideoLayout(
      size: VideoSize(Int(granted.width), Int(granted.height)),
      format: VideoPixelFormat(rawValue: granted.pixelformat), strideBytes: Int(granted.bytesperline),
      pictureBytes: Int(granted.sizeimage),
      isWholePicture: whole.contains { UInt32($0.rawValue) == granted.field },
      isFullRange: isFullRange(granted),
      isRangeAssumed: granted.quantization == UInt32(V4L2_QUANTIZATION_DEFAULT.rawValue),
      matrix: matrix(granted))
  }

  package func frameDuration(_ handle: VideoHandle) throws(KernelRefusal) -> VideoFraction {
    var numerator: UInt32 = 0
    var denominator: UInt32 = 0
    let failure = cam_v4l2_get_interval(handle.descriptor, &numerator, &denominator)
    if failure != 0 { throw KernelRefusal(.frameDuration, failure) }
    return VideoFraction(numerator, denominator)
  }

  package func setFrameDuration(
    _ handle: VideoHandle, _ duration: VideoFraction
  ) throws(KernelRefusal) -> VideoFraction {
    var numerator = duration.numerator
    var denominator = duration.denominator
    let failure = cam_v4l2_set_interval(handle.descriptor, &numerator, &denominator)
    if failure != 0 { throw KernelRefusal(.setFrameDuration, failure) }
    return VideoFraction(numerator, denominator)
  }

  /// Makes one request of a list; false past its end, which is also where a driver without the list is.
  private func callList<Argument>(
    _ name: VideoCall, _ handle: VideoHandle, _ request: UInt, _ argument: inout Argument
  ) throws(KernelRefusal) -> Bool {
    do throws(KernelRefusal) {
      try call(name, handle, request, &argument)
      return true
    } catch  where [EINVAL, ENOTTY].contains(error.errno) {
      return false
    }
  }

  /// C: `V4L2_MAP_QUANTIZATION_DEFAULT`, for formats of luma and chroma.
  private func isFullRange(_ format: v4l2_pix_format) -> Bool {
    switch format.quantization {
    case UInt32(V4L2_QUANTIZATION_FULL_RANGE.rawValue): true
    case UInt32(V4L2_QUANTIZATION_LIM_RANGE.rawValue): false
    default: format.colorspace == UInt32(V4L2_COLORSPACE_JPEG.rawValue)
    }
  }

  /// C: `V4L2_MAP_YCBCR_ENC_DEFAULT`.
  private func matrix(_ format: v4l2_pix_format) -> VideoMatrix {
    switch format.ycbcr_enc {
    case UInt32(V4L2_YCBCR_ENC_601.rawValue), UInt32(V4L2_YCBCR_ENC_XV601.rawValue): return .rec601
    case UInt32(V4L2_YCBCR_ENC_709.rawValue), UInt32(V4L2_YCBCR_ENC_XV709.rawValue): return .rec709
    case UInt32(V4L2_YCBCR_ENC_BT2020.rawValue): return .rec2020
    default: break
    }
    switch format.colorspace {
    case UInt32(V4L2_COLORSPACE_REC709.rawValue), UInt32(V4L2_COLORSPACE_DCI_P3.rawValue): return .rec709
    case UInt32(V4L2_COLORSPACE_BT2020.rawValue): return .rec2020
    default: return .rec601
    }
  }
}

extension VideoFraction {
  fileprivate init(_ fraction: v4l2_fract) {
    self.init(fraction.numerator, fraction.denominator)
  }
}
