// In: bfloat16 numbers in memory. Out: registers of 16 floats.
#pragma once

#include <immintrin.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace redraft {

using bf16 = uint16_t;

constexpr long kTile = 16;   // rows of a tile, and floats in a register
constexpr long kDepth = 32;  // products that one tile instruction adds up; 64 bytes
constexpr long kBlock = 32;  // rows and columns of a square

// Compilers take tile instructions for ones that read no memory.
inline void written(const void* memory) { asm volatile("" : : "r"(memory) : "memory"); }

inline long blocks(long count, long size) { return (count + size - 1) / size; }

inline __m512 widened(__m256i values) {
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(values), 16));
}

inline __m256i narrowed(__m512 values) { return reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(values)); }

inline __m512 load(const bf16* from) { return widened(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))); }

inline void store(bf16* to, __m512 values) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), narrowed(values)); }

// 2 to the power of x, to about 2e-6: Taylor's series around the nearest whole number.
inline __m512 power_of_2(__m512 x) {
    const __m512 whole = _mm512_roundscale_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    const __m512 rest = _mm512_sub_ps(x, whole);
    __m512 sum = _mm512_set1_ps(1.3333558e-3f);
    for (const float factor : {9.6181291e-3f, 5.5504109e-2f, 2.4022651e-1f, 6.9314718e-1f, 1.0f})
        sum = _mm512_fmadd_ps(sum, rest, _mm512_set1_ps(factor));
    return _mm512_scalef_ps(sum, whole);
}

// The SiLU function of x, to about 2^-14.
inline __m512 silu(__m512 x) {
    // Beyond 2^64 nothing changes, and what is infinite would not divide.
    const __m512 power = _mm512_min_ps(_mm512_mul_ps(x, _mm512_set1_ps(-1.44269504f)), _mm512_set1_ps(64.0f));
    return _mm512_mul_ps(x, _mm512_rcp14_ps(_mm512_add_ps(_mm512_set1_ps(1.0f), power_of_2(power))));
}

// Memory that only grows, whole lines of the cache; zeros at first, as what is masked is multiplied all the same.
template <typename Number>
class Memory {
public:
    Memory() = default;
    Memory(const Memory&) = delete;
    ~Memory() { std::free(start_); }
    Number* of(long count) {
        if (count > count_) {
            const size_t bytes = blocks(count * sizeof(Number), 64) * 64;
            std::free(start_);
            start_ = static_cast<Number*>(std::aligned_alloc(64, bytes));
            std::memset(start_, 0, bytes);
            count_ = count;
        }
        return start_;
    }

private:
    Number* start_ = nullptr;
    long count_ = 0;
};

// Rows as the tile unit reads them: blocks of 32 rows, in these of 32 columns, each row 64 bytes.
inline bf16* packed(bf16* rows, long row, long column, long width) {
    return rows + row / kBlock * kBlock * width + column / kDepth * kBlock * kDepth + row % kBlock * kDepth +
           column % kDepth;
}

}  // namespace redraft
