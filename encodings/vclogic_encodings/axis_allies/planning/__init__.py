"""The capture level: plans in which territories are taken without armies."""
