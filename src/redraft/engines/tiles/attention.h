// In: queries, keys and values of new tokens. Out: what each token sees of all up to itself.
//
// Keys and values are kept as the tile unit reads them: keys in blocks of 16 as (half of width, 16 keys, 2), values in
// pairs as (width, 2 values). Heads that share keys are read as more tokens of one head.
#pragma once

#include <algorithm>
#include <cmath>

#include "square.h"

namespace redraft {

struct Shape {
    long tokens, start, room, heads, pairs, width;
    long group() const { return heads / pairs; }
    long rows() const { return group() * tokens; }
    // Of scores and weights: rows that begin a power of two apart would share the lines of a cache.
    long stride() const { return blocks(start + tokens, kBlock) * kBlock + kDepth; }
};

// Where one thread works.
struct Scratch {
    float *scores, *sums;
    bf16* weights;
};

// Rotary positions: the first half of a head is turned with the second. `turns` has the cosines, then the sines.
inline void turn(const bf16* head, const float* turns, long width, bf16* to) {
    const long half = width / 2;
    for (long at = 0; at < half; at += kTile) {
        const __m512 first = load(head + at), second = load(head + half + at);
        const __m512 cosine = _mm512_loadu_ps(turns + at), sine = _mm512_loadu_ps(turns + half + at);
        store(to + at, _mm512_fmsub_ps(first, cosine, _mm512_mul_ps(second, sine)));
        store(to + half + at, _mm512_fmadd_ps(second, cosine, _mm512_mul_ps(first, sine)));
    }
}

inline void keep_key(const bf16* head, bf16* keys, long place, long width) {
    uint32_t* to = reinterpret_cast<uint32_t*>(keys + place / kTile * kTile * width) + place % kTile;
    for (long at = 0; at < width; at += 2, to += kTile) std::memcpy(to, head + at, 4);
}

inline void keep_value(const bf16* head, bf16* values, long place, long width) {
    bf16* to = values + place / 2 * 2 * width;
    for (long at = 0; at < width; at += kTile) {
        __m512i mine = _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(head + at)));
        if (place % 2) {
            const __m512i before = _mm512_maskz_mov_epi16(0x55555555, _mm512_loadu_si512(to + 2 * at));
            mine = _mm512_or_si512(_mm512_slli_epi32(mine, 16), before);
        }
        _mm512_storeu_si512(to + 2 * at, mine);
    }
}

// scores (rows, stride): queries times the first `count` keys.
inline void score(long rows, const bf16* queries, const bf16* keys, float* scores, long count, const Shape& shape) {
    const long width = shape.width;
    written(queries);
    for (long key = 0; key < count; key += kBlock)
        square(rows, {queries, width, kDepth}, {keys + key * width, kDepth, kTile * width, kTile * kDepth},
               width / kDepth, scores + key, shape.stride());
}

// The weights of the `seen` first values from their scores, 0 up to `count`; returns the inverse of their sum.
inline float weigh(const float* scores, bf16* weights, long seen, long count, float scale) {
    const __m512 low = _mm512_set1_ps(-INFINITY), scales = _mm512_set1_ps(scale);
    const long whole = seen / kTile * kTile;
    const __mmask16 tail = (1u << seen % kTile) - 1;
    __m512 highest = _mm512_mask_loadu_ps(low, tail, scores + whole);
    for (long at = 0; at < whole; at += kTile) highest = _mm512_max_ps(highest, _mm512_loadu_ps(scores + at));
    const __m512 top = _mm512_set1_ps(_mm512_reduce_max_ps(highest) * scale);
    __m512 sum = _mm512_setzero_ps();
    for (long at = 0; at < whole; at += kTile) {
        const __m512 weight = power_of_2(_mm512_fmsub_ps(_mm512_loadu_ps(scores + at), scales, top));
        sum = _mm512_add_ps(sum, weight);
        store(weights + at, weight);
    }
    for (long at = whole; at < count; at += kTile) {
        const __mmask16 mask = at == whole ? tail : 0;
        const __m512 weight = power_of_2(_mm512_fmsub_ps(_mm512_maskz_loadu_ps(mask, scores + at), scales, top));
        sum = _mm512_mask_add_ps(sum, mask, sum, weight);
        store(weights + at, _mm512_maskz_mov_ps(mask, weight));
    }
    return 1.0f / _mm512_reduce_add_ps(sum);
}

// sums (rows, width): weights times the first `count` values.
inline void add_up(long rows, const bf16* weights, const bf16* values, float* sums, long count, const Shape& shape) {
    const long width = shape.width;
    written(weights);
    for (long at = 0; at < width; at += kBlock)
        square(rows, {weights, shape.stride(), kDepth}, {values + 2 * at, 2 * width, kDepth, kDepth * width},
               count / kDepth, sums + at, width);
}

// 32 queries of one pair of keys and values; row r is of token r / group and its head r % group. `out` is packed.
inline void attend_block(const bf16* queries, const bf16* keys, const bf16* values, bf16* out, long pair, long first,
                         const Shape& shape, const Scratch& scratch) {
    const long rows = std::min(kBlock, shape.rows() - first), group = shape.group(), width = shape.width;
    const long count = blocks(shape.start + (first + rows - 1) / group + 1, kBlock) * kBlock;
    const float scale = 1.44269504f / std::sqrt(static_cast<float>(width));
    float shares[kBlock];
    score(rows, queries, keys, scratch.scores, count, shape);
    for (long row = 0; row < rows; ++row) {
        const long seen = shape.start + (first + row) / group + 1, at = row * shape.stride();
        shares[row] = weigh(&scratch.scores[at], &scratch.weights[at], seen, count, scale);
    }
    add_up(rows, scratch.weights, values, scratch.sums, count, shape);
    for (long row = 0; row < rows; ++row) {
        const long token = (first + row) / group, head = pair * group + (first + row) % group;
        for (long at = 0; at < width; at += kTile) {
            const __m512 sum = _mm512_loadu_ps(&scratch.sums[row * width + at]);
            store(packed(out, token, head * width + at, shape.heads * width),
                  _mm512_mul_ps(sum, _mm512_set1_ps(shares[row])));
        }
    }
}

// joined (tokens, heads + 2 * pairs, width) are queries, keys and values, turns (tokens, width); keys and values
// (pairs, room, width) get what is new from `start` on. queries (pairs, rows, width) is memory to work in.
inline void attend(const bf16* joined, const float* turns, bf16* keys, bf16* values, bf16* queries, bf16* out,
                   const Shape& shape, const Scratch& scratch) {
    const long group = shape.group(), width = shape.width, many = blocks(shape.rows(), kBlock),
               size = many * kBlock * width;
#pragma omp for schedule(static)
    for (long pair = 0; pair < shape.pairs; ++pair) {
        for (long token = 0; token < shape.tokens; ++token) {
            const bf16* from = joined + token * (shape.heads + 2 * shape.pairs) * width;
            for (long head = 0; head < group; ++head)
                turn(from + (pair * group + head) * width, turns + token * width, width,
                     queries + pair * size + (token * group + head) * width);
            bf16 turned[256];
            turn(from + (shape.heads + pair) * width, turns + token * width, width, turned);
            keep_key(turned, keys + pair * shape.room * width, shape.start + token, width);
            keep_value(from + (shape.heads + shape.pairs + pair) * width, values + pair * shape.room * width,
                       shape.start + token, width);
        }
    }
#pragma omp for schedule(dynamic)
    for (long block = 0; block < shape.pairs * many; ++block) {
        const long pair = block / many, first = (many - 1 - block % many) * kBlock, at = pair * shape.room * width;
        attend_block(queries + pair * size + first * width, keys + at, values + at, out, pair, first, shape, scratch);
    }
}

}  // namespace redraft
