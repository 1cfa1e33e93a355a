@_exported public import AVFCore
@_exported public import CoreMedia
@_exported public import Foundation
@_exported public import FoundationExtras
@_exported public import GraphicsCore
@_exported public import ImageCore
@_exported public import ImageIO
