// Dynamic shared memory of a block, as an array of unknown length. An emulated GPU provides it differently.
#pragma once

#ifndef APSP_DYNAMIC_SHARED
#define APSP_DYNAMIC_SHARED(type, name) extern __shared__ type name[]
#endif
