// In: packed rows (count, width) and packed weights (columns, width). Out: their product, 32 columns of a row at a
// time.
//
// Weights lie in blocks of 32 columns, in these of 32 products: two tiles, of pairs of products by 16 columns.
#pragma once

#include "numbers.h"

namespace redraft {

// Only 16 rows: half of the tiles, and the weights come from afar.
inline void multiply_few(const bf16* rows, const bf16* weights, float* sums, long width) {
    constexpr long kAhead = 4 * kBlock * kDepth;
    _tile_zero(4);
    _tile_zero(5);
    for (long at = 0; at < width; at += kDepth, rows += kBlock * kDepth, weights += kBlock * kDepth) {
        for (long line = 0; line < kBlock; ++line)
            _mm_prefetch(reinterpret_cast<const char*>(weights + kAhead + line * kDepth), _MM_HINT_T0);
        _tile_loadd(0, rows, 64);
        _tile_loadd(2, weights, 64);
        _tile_loadd(3, weights + kTile * kDepth, 64);
        _tile_dpbf16ps(4, 0, 2);
        _tile_dpbf16ps(5, 0, 3);
    }
    _tile_stored(4, sums, 4 * kBlock);
    _tile_stored(5, sums + kTile, 4 * kBlock);
}

inline void multiply_block(const bf16* rows, const bf16* weights, float* sums, long width) {
    _tile_zero(4);
    _tile_zero(5);
    _tile_zero(6);
    _tile_zero(7);
    for (long at = 0; at < width; at += kDepth, rows += kBlock * kDepth, weights += kBlock * kDepth) {
        _tile_loadd(0, rows, 64);
        _tile_loadd(2, weights, 64);
        _tile_loadd(3, weights + kTile * kDepth, 64);
        _tile_loadd(1, rows + kTile * kDepth, 64);
        _tile_dpbf16ps(4, 0, 2);
        _tile_dpbf16ps(5, 0, 3);
        _tile_dpbf16ps(6, 1, 2);
        _tile_dpbf16ps(7, 1, 3);
    }
    _tile_stored(4, sums, 4 * kBlock);
    _tile_stored(5, sums + kTile, 4 * kBlock);
    _tile_stored(6, sums + kTile * kBlock, 4 * kBlock);
    _tile_stored(7, sums + kTile * kBlock + kTile, 4 * kBlock);
}

// Calls then(row, column, low, high) with 16 columns from `column` on and the next 16. All threads come here together.
template <typename Then>
void multiply(const bf16* rows, const bf16* weights, long count, long width, long columns, Then&& then) {
    alignas(64) float sums[kBlock * kBlock];
    written(rows);
    written(sums);
#pragma omp for schedule(static)
    for (long column = 0; column < columns; column += kBlock) {
        for (long first = 0; first < count; first += kBlock) {
            if (count <= kTile)
                multiply_few(rows, weights + column * width, sums, width);
            else
                multiply_block(rows + first * width, weights + column * width, sums, width);
            for (long row = 0; row < kBlock && first + row < count; ++row)
                then(first + row, column, _mm512_load_ps(sums + row * kBlock),
                     _mm512_load_ps(sums + row * kBlock + kTile));
        }
    }
}

}  // namespace redraft
