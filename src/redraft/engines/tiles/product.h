// In: packed rows (count, width) and packed weights (columns, width). Out: their product, 32 columns of a row at a
// time.
//
// Weights lie in blocks of 32 columns, in these of 32 products: two tiles, of pairs of products by 16 columns.
#pragma once

#include <algorithm>

#include "square.h"

namespace redraft {

// Calls then(row, column, low, high) with 16 columns from `column` on and the next 16. All threads come here together.
template <typename Then>
void multiply(const bf16* rows, const bf16* weights, long count, long width, long columns, Then&& then) {
    alignas(64) float sums[kBlock * kBlock];
    written(rows);
    written(sums);
#pragma omp for schedule(static)
    for (long column = 0; column < columns; column += kBlock) {
        for (long first = 0; first < count; first += kBlock) {
            const long here = std::min(kBlock, count - first);
            square(here, {rows + first * width, kDepth, kBlock * kDepth},
                   {weights + column * width, kDepth, kTile * kDepth, kBlock * kDepth}, width / kDepth, sums, kBlock);
            for (long row = 0; row < here; ++row)
                then(first + row, column, _mm512_load_ps(sums + row * kBlock),
                     _mm512_load_ps(sums + row * kBlock + kTile));
        }
    }
}

}  // namespace redraft
