/// What a client has enabled for people in an output's photos; whether it is supported at the moment is asked apart.
struct PhotosOfPeople {
  /// Whether photos may come with a matte of them.
  var haveMattes = false
  /// The mattes of their parts that photos may come with.
  var partTypes: [AVSemanticSegmentationMatte.MatteType] = []
  /// Whether photos may have their heads made round at the edges.
  var haveRoundHeads = false
}
