"""Terms as linear models."""
