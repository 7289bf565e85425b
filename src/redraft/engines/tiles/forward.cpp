// In: the embedded tokens of one sequence, and what is kept of those before. Out: the logits after the last of them.
//
// A Llama in bfloat16 on a processor with AMX or AVX512-BF16. No arithmetic on a row depends on how many rows there are, so that
// tokens fed together give the same logits, to the last bit, as tokens fed one by one.

#include <omp.h>

#include <utility>
#include <vector>

#include "attention.h"
#include "numbers.h"
#include "product.h"

using namespace redraft;

struct Layer {
    const bf16 *attention_norm, *joined, *output, *mlp_norm, *gate, *down;
};

struct Model {
    long layers, hidden, heads, pairs, width, inner, vocabulary;
    double epsilon;
    const bf16 *norm, *head;
    const Layer* layer;
};

namespace {

// Rows (count, width) divided by their root mean squares, times weight, packed.
void normalise(const bf16* rows, const bf16* weight, bf16* out, long count, long width, double epsilon) {
#pragma omp for schedule(static)
    for (long row = 0; row < count; ++row) {
        const bf16* from = rows + row * width;
        __m512 squares = _mm512_setzero_ps();
        for (long at = 0; at < width; at += kTile) squares = _mm512_fmadd_ps(load(from + at), load(from + at), squares);
        const float mean = _mm512_reduce_add_ps(squares) / static_cast<float>(width);
        const __m512 scale = _mm512_set1_ps(1.0f / std::sqrt(mean + static_cast<float>(epsilon)));
        for (long at = 0; at < width; at += kTile) {
            const __m512 scaled = widened(narrowed(_mm512_mul_ps(load(from + at), scale)));
            store(packed(out, row, at, width), _mm512_mul_ps(scaled, load(weight + at)));
        }
    }
}

struct Stored {
    bf16* rows;
    long width;
    void operator()(long row, long column, __m512 low, __m512 high) const {
        store(rows + row * width + column, low);
        store(rows + row * width + column + kTile, high);
    }
};

struct Added {
    bf16* rows;
    long width;
    void operator()(long row, long column, __m512 low, __m512 high) const {
        bf16* to = rows + row * width + column;
        store(to, _mm512_add_ps(load(to), low));
        store(to + kTile, _mm512_add_ps(load(to + kTile), high));
    }
};

// 16 columns of the gate and the same of what it lets through stand beside each other.
struct Gated {
    bf16* rows;
    long width;
    void operator()(long row, long column, __m512 gate, __m512 through) const {
        const __m512 open = widened(narrowed(silu(gate)));
        store(packed(rows, row, column / 2, width), _mm512_mul_ps(open, through));
    }
};

// The highest logit of each row, the next one, and the place of the first that is highest.
struct Highest {
    std::vector<float> first, second;
    std::vector<long> place;

    explicit Highest(long count) : first(count, -INFINITY), second(count, -INFINITY), place(count) {}
    void take(long row, float logit, long at) {
        if (logit > first[row]) {
            second[row] = std::exchange(first[row], logit);
            place[row] = at;
        } else {
            second[row] = std::max(second[row], logit);
        }
    }
    void operator()(long row, long column, __m512 low, __m512 high) {
        for (const __m512 sums : {low, high}) {
            const __m512 logits = widened(narrowed(sums));
            __mmask16 higher = _mm512_cmp_ps_mask(logits, _mm512_set1_ps(second[row]), _CMP_GT_OQ);
            alignas(64) float each[kTile];
            if (higher) _mm512_store_ps(each, logits);
            for (; higher; higher &= higher - 1) {
                const int at = __builtin_ctz(higher);
                take(row, each[at], column + at);
            }
            column += kTile;
        }
    }
    // What another thread found in later columns.
    void join(const Highest& other) {
        for (size_t row = 0; row < first.size(); ++row) {
            take(row, other.first[row], other.place[row]);
            take(row, other.second[row], other.place[row]);
        }
    }
};

// Threads have columns in their order, and join in it.
void find_highest(const bf16* rows, const Model& model, long count, Highest& all) {
    Highest mine(count);
    multiply(rows, model.head, count, model.hidden, model.vocabulary, mine);
    for (int thread = 0; thread < omp_get_num_threads(); ++thread) {
        if (thread == omp_get_thread_num()) all.join(mine);
#pragma omp barrier
    }
}

// Where one call works: whole blocks of rows.
struct Work {
    bf16 *rows, *joined, *queries, *gated;
};

Work work_of(const Model& model, long tokens) {
    static thread_local Memory<bf16> rows, joined, queries, gated;
    const long padded = blocks(tokens, kBlock) * kBlock, seen = model.heads * model.width;
    return {
        rows.of(padded * std::max(model.hidden, seen)),
        joined.of(padded * (seen + 2 * model.pairs * model.width)),
        queries.of(seen * tokens + model.pairs * kBlock * model.width),
        gated.of(padded * model.inner),
    };
}

Scratch scratch_of(const Shape& shape) {
    static thread_local Memory<float> scores, sums;
    static thread_local Memory<bf16> weights;
    return {scores.of(kBlock * shape.stride()), sums.of(kBlock * shape.width), weights.of(kBlock * shape.stride())};
}

}  // namespace

// Whether this process may use what the library was made for.
extern "C" int redraft_runs() { return is_allowed(); }

// state (tokens, hidden) is changed; turns (tokens, width) are cosines and sines of their positions; kept has for each
// layer (2, pairs, room, width). Of the `keep` last tokens come logits (keep, vocabulary), or where they are null the
// likeliest ids and how far the next ones are behind.
extern "C" void redraft_forward(const Model* given, bf16* state, const float* turns, bf16* const* kept, long room,
                                long start, long tokens, long keep, bf16* logits, long* ids, float* margins,
                                int threads) {
    const Model& model = *given;
    const Work work = work_of(model, tokens);
    bf16 *const rows = work.rows, *const joined = work.joined, *const queries = work.queries, *const gated = work.gated;
    const long seen = model.heads * model.width, all = seen + 2 * model.pairs * model.width;
    const Shape shape{tokens, start, room, model.heads, model.pairs, model.width};
    Highest highest(logits ? 0 : keep);
#pragma omp parallel num_threads(threads)
    {
        const Unit unit;
        const Scratch scratch = scratch_of(shape);
        for (long number = 0; number < model.layers; ++number) {
            const Layer& layer = model.layer[number];
            bf16 *const keys = kept[number], *const values = keys + model.pairs * room * model.width;
            normalise(state, layer.attention_norm, rows, tokens, model.hidden, model.epsilon);
            multiply(rows, layer.joined, tokens, model.hidden, all, Stored{joined, all});
            attend(joined, turns, keys, values, queries, rows, shape, scratch);
            multiply(rows, layer.output, tokens, seen, model.hidden, Added{state, model.hidden});
            normalise(state, layer.mlp_norm, rows, tokens, model.hidden, model.epsilon);
            multiply(rows, layer.gate, tokens, model.hidden, 2 * model.inner, Gated{gated, model.inner});
            multiply(gated, layer.down, tokens, model.inner, model.hidden, Added{state, model.hidden});
        }
        normalise(state + (tokens - keep) * model.hidden, model.norm, rows, keep, model.hidden, model.epsilon);
        if (logits) {
            multiply(rows, model.head, keep, model.hidden, model.vocabulary, Stored{logits, model.vocabulary});
        } else {
            find_highest(rows, model, keep, highest);
        }
    }
    for (long row = 0; row < (logits ? 0 : keep); ++row) {
        ids[row] = highest.place[row];
        margins[row] = highest.first[row] - highest.second[row];
    }
}
