// In: up to 32 rows, and columns as the tile unit reads them. Out: their products, 32 columns of each row.
//
// By tiles of AMX where the compiler is asked for them, else by AVX512-BF16, which reads the same layout: what a tile
// has in a row is one register. No sum depends on how many rows there are.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <utility>

#include "numbers.h"

namespace redraft {

// Numbers between a row and the next one, and between 32 products and the next ones.
struct Rows {
    const bf16* first;
    long row, step;
};

// Pairs of products by 16 columns; `beside` is where the next 16 columns begin.
struct Columns {
    const bf16* first;
    long row, beside, step;
};

#ifdef __AMX_BF16__

struct alignas(64) TileShapes {
    uint8_t palette = 1, start_row = 0, reserved[14] = {};
    uint16_t bytes[16] = {};
    uint8_t rows[16] = {};
};

// The tiles of this thread until it goes out of scope, all of 16 rows and 64 bytes.
struct Unit {
    Unit() {
        TileShapes shapes;
        for (int tile = 0; tile < 8; ++tile) shapes.bytes[tile] = 64, shapes.rows[tile] = kTile;
        written(&shapes);
        _tile_loadconfig(&shapes);
    }
    ~Unit() { _tile_release(); }
};

// Whether the system lets this process use tiles.
inline bool is_allowed() { return syscall(SYS_arch_prctl, 0x1023, 18) == 0; }

constexpr long kAhead = 4;  // steps; where rows are few, columns come from afar

inline void fetch(const bf16* columns, const Columns& of) {
    for (long line = 0; line < kTile; ++line) {
        _mm_prefetch(reinterpret_cast<const char*>(columns + kAhead * of.step + line * of.row), _MM_HINT_T0);
        _mm_prefetch(reinterpret_cast<const char*>(columns + kAhead * of.step + of.beside + line * of.row),
                     _MM_HINT_T0);
    }
}

inline void half_square(Rows rows, Columns columns, long steps, float* sums, long width) {
    _tile_zero(4);
    _tile_zero(5);
    for (; steps; --steps, rows.first += rows.step, columns.first += columns.step) {
        fetch(columns.first, columns);
        _tile_loadd(0, rows.first, 2 * rows.row);
        _tile_loadd(2, columns.first, 2 * columns.row);
        _tile_loadd(3, columns.first + columns.beside, 2 * columns.row);
        _tile_dpbf16ps(4, 0, 2);
        _tile_dpbf16ps(5, 0, 3);
    }
    _tile_stored(4, sums, 4 * width);
    _tile_stored(5, sums + kTile, 4 * width);
}

// All 32 rows are read and written, or 16, however many are wanted.
inline void square(long count, Rows rows, Columns columns, long steps, float* sums, long width) {
    if (count <= kTile) return half_square(rows, columns, steps, sums, width);
    const long below = kTile * rows.row;
    _tile_zero(4);
    _tile_zero(5);
    _tile_zero(6);
    _tile_zero(7);
    for (; steps; --steps, rows.first += rows.step, columns.first += columns.step) {
        _tile_loadd(0, rows.first, 2 * rows.row);
        _tile_loadd(2, columns.first, 2 * columns.row);
        _tile_loadd(3, columns.first + columns.beside, 2 * columns.row);
        _tile_loadd(1, rows.first + below, 2 * rows.row);
        _tile_dpbf16ps(4, 0, 2);
        _tile_dpbf16ps(5, 0, 3);
        _tile_dpbf16ps(6, 1, 2);
        _tile_dpbf16ps(7, 1, 3);
    }
    _tile_stored(4, sums, 4 * width);
    _tile_stored(5, sums + kTile, 4 * width);
    _tile_stored(6, sums + kTile * width, 4 * width);
    _tile_stored(7, sums + kTile * width + kTile, 4 * width);
}

#else

struct Unit {
    ~Unit() {}  // or compilers take it for unused
};

inline bool is_allowed() { return true; }

constexpr long kMost = 12;  // rows whose sums, with the columns, fit into the registers

inline __m512bh pairs(const bf16* from) { return reinterpret_cast<__m512bh>(_mm512_loadu_si512(from)); }

// The same two numbers 16 times.
inline __m512bh spread(const bf16* from) {
    int both;
    std::memcpy(&both, from, 4);
    return reinterpret_cast<__m512bh>(_mm512_set1_epi32(both));
}

template <long count>
inline void add_step(__m512* sums, const Rows& rows, const bf16* columns, long stride) {
    const bf16* from = rows.first;
    for (long pair = 0; pair < kTile; ++pair, columns += stride, from += 2) {
        const __m512bh all = pairs(columns);
        for (long row = 0; row < count; ++row)
            sums[row] = _mm512_dpbf16_ps(sums[row], spread(from + row * rows.row), all);
    }
}

// In the order of memory: 16 columns, then the 16 beside them. Two places read in turns come less than half as fast.
template <long count>
inline void strip(Rows rows, Columns columns, long steps, float* sums, long width) {
    __m512 low[count], high[count];
    for (long row = 0; row < count; ++row) low[row] = high[row] = _mm512_setzero_ps();
    for (; steps; --steps, rows.first += rows.step, columns.first += columns.step) {
        add_step<count>(low, rows, columns.first, columns.row);
        add_step<count>(high, rows, columns.first + columns.beside, columns.row);
    }
    for (long row = 0; row < count; ++row) {
        _mm512_storeu_ps(sums + row * width, low[row]);
        _mm512_storeu_ps(sums + row * width + kTile, high[row]);
    }
}

using Strip = void (*)(Rows, Columns, long, float*, long);

template <size_t... counts>
inline Strip strip_of(long count, std::index_sequence<counts...>) {
    static constexpr Strip all[] = {strip<counts + 1>...};
    return all[count - 1];
}

// The first `count` of 32 rows.
inline void square(long count, Rows rows, Columns columns, long steps, float* sums, long width) {
    while (count > 0) {
        // Of 32 rows 12, 12 and 8, of 16 rows twice 8: the fewer passes over the columns, the better.
        const long here = count > 2 * kMost ? kMost : count > kMost ? (count + 1) / 2 : count;
        strip_of(here, std::make_index_sequence<kMost>())(rows, columns, steps, sums, width);
        rows.first += here * rows.row, sums += here * width, count -= here;
    }
}

#endif

}  // namespace redraft
