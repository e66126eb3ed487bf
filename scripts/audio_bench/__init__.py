"""Parts of `scripts/bench_audio.py`."""
