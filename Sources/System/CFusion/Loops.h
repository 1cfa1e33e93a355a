// The loops, compiled once for each variant of Lanes.h.
#include "CFusion.h"
#include "Lanes.h"
#include "Tables.h"

#pragma STDC FP_CONTRACT OFF

#include "Windows.h"
#include "Pyramid.h"
#include "Search.h"
#include "Tiles.h"
#include "Merge.h"
#include "Cells.h"
#include "Tone.h"
#include "Develop.h"
#include "Detail.h"
