#ifndef CImageCodecs_h
#define CImageCodecs_h
#endif
