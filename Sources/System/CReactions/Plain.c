// The loops for every processor: the definition.
#include "Loops.h"

const reactions_loops reactions_plain_loops = ALL_LOOPS;
