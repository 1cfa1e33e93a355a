// The loops for every processor: the definition.
#include "Loops.h"

const pixels_loops pixels_plain_loops = ALL_LOOPS;
