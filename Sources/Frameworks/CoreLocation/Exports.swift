// Places and their units are in FoundationExtras, because photos have them, too.
@_exported public import Foundation
@_exported public import FoundationExtras
