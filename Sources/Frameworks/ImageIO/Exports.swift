// A client that imports Image I/O alone finds images and the Core Foundation names too, as with Apple.
@_exported public import Foundation
@_exported public import FoundationExtras
@_exported public import GraphicsCore
