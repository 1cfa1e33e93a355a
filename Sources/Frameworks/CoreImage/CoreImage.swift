/// The face of ``ImageCore``: Apple's module name over our core, and what Apple's module brings along.
@_exported public import CoreVideo
@_exported public import DrawingCore
@_exported public import Foundation
@_exported public import FoundationExtras
@_exported public import GraphicsCore
@_exported public import ImageCore
@_exported public import ImageIO
