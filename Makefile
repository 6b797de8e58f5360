.PHONY: test
test:
	tests/setup
	cargo test --workspace --profile checked
