// One import for everything that camera programs use, as Apple's AVFoundation is.
@_exported public import AVFAudio
@_exported public import AVFCapture
@_exported public import AVFCore
@_exported public import AudioToolbox
@_exported public import CoreMedia
@_exported public import CoreVideo
@_exported public import DrawingCore
@_exported public import Foundation
@_exported public import FoundationExtras
@_exported public import GraphicsCore
@_exported public import ImageCore
@_exported public import ImageIO
@_exported public import MediaToolbox
@_exported public import QuartzCore
@_exported public import simd
