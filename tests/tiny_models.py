"""In: the demonstration. Out: small random models of several families, saved as Hugging Face folders."""

import json
from functools import cache
from pathlib import Path

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

TEXT = Path(__file__).parent.parent / "demo" / "inventory.py"  # stays as it is, and what the models write with it
VOCABULARY, WIDTH, LAYERS, CONTEXT = 512, 32, 2, 1024
CHAT = (
    "{% for m in messages %}<|{{ m.role }}|>{{ m.content | trim }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
_SHAPE = {"vocab_size": VOCABULARY, "eos_token_id": 0, "bos_token_id": None, "pad_token_id": None}
_WIDE = {"hidden_size": WIDTH, "intermediate_size": 64, "num_hidden_layers": LAYERS, "num_attention_heads": 4}
_LLAMA_LIKE = {**_SHAPE, **_WIDE, "num_key_value_heads": 2, "max_position_embeddings": CONTEXT}
CONFIGS = {
    "llama": lambda: transformers.LlamaConfig(**_LLAMA_LIKE, tie_word_embeddings=True),
    # All sizes are multiples of 32.
    "blocks": lambda: transformers.LlamaConfig(
        **_LLAMA_LIKE | {"hidden_size": 96, "num_attention_heads": 6, "head_dim": 32}
    ),
    "qwen2": lambda: transformers.Qwen2Config(**_LLAMA_LIKE),
    "qwen3": lambda: transformers.Qwen3Config(**_LLAMA_LIKE, head_dim=8),
    "qwen3_moe": lambda: transformers.Qwen3MoeConfig(
        **_LLAMA_LIKE, head_dim=8, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=16
    ),
    "deepseek_v2": lambda: transformers.DeepseekV2Config(
        **{**_LLAMA_LIKE, "num_key_value_heads": 4},
        n_routed_experts=4,
        n_group=1,
        topk_group=1,
        num_experts_per_tok=2,
        moe_intermediate_size=16,
        first_k_dense_replace=1,
        kv_lora_rank=16,
        q_lora_rank=None,
        qk_nope_head_dim=8,
        qk_rope_head_dim=8,
        v_head_dim=8,
    ),
    "gpt2": lambda: transformers.GPT2Config(**_SHAPE, n_embd=WIDTH, n_layer=LAYERS, n_head=4, n_positions=CONTEXT),
    "mistral": lambda: transformers.MistralConfig(**_LLAMA_LIKE, sliding_window=16),
    "gemma3": lambda: transformers.Gemma3TextConfig(
        **_LLAMA_LIKE, head_dim=8, sliding_window=16, sliding_window_pattern=2
    ),
    "jamba": lambda: transformers.JambaConfig(**_LLAMA_LIKE, num_experts=2, use_mamba_kernels=False),
    "qwen3_next": lambda: transformers.Qwen3NextConfig(**_LLAMA_LIKE, num_experts=2),
    "mamba": lambda: transformers.MambaConfig(**_SHAPE, hidden_size=WIDTH, num_hidden_layers=LAYERS, state_size=4),
}


@cache
def tokenizer() -> Tokenizer:
    """Byte-level BPE; its special tokens are an end and three roles."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=["<|end|>", "<|user|>", "<|assistant|>", "<|system|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator([TEXT.read_text()], trainer)
    return made


def save(family: str, folder: Path, chat: bool = False, seed: int = 1, layers: int = LAYERS) -> Path:
    """A random model of the family; attention is strong enough that its output depends on all that came before."""
    torch.manual_seed(seed)
    config = CONFIGS[family]()
    if layers != LAYERS:
        config = type(config)(**config.to_dict() | {"num_hidden_layers": layers, "layer_types": None})
    model = transformers.AutoModelForCausalLM.from_config(config)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() == 2:
                parameter.normal_(0, 0.15)
    model.generation_config.eos_token_id = 0
    model.save_pretrained(folder)
    tokenizer().save(str(folder / "tokenizer.json"))
    settings = {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": "<|end|>"}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings | ({"chat_template": CHAT} if chat else {})))
    return folder
