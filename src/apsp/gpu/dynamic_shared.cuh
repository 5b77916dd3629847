// Dynamic shared memory of a block, as an array of unknown length. On an emulated GPU it comes from
// elsewhere.
#pragma once

#ifndef APSP_DYNAMIC_SHARED
#define APSP_DYNAMIC_SHARED(type, name) extern __shared__ type name[]
#endif
