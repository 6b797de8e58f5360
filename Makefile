.PHONY: test
test:
	tests/setup
	cargo test --workspace --release
