// The loops in plain C, for every processor: the definition.
#include "Loops.h"

const fusion_loops fusion_plain_loops = {halve, narrow, read_tile, compare, search, plane_sad, begin, block_means, add, finish, develop, move, transfer};
