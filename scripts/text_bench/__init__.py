"""What `scripts/bench_text.py` measures with: diversity of the scripts, damage to them."""
