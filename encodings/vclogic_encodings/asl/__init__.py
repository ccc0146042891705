"""Advanced Squad Leader, section 26: control, casualty points and exit points."""
