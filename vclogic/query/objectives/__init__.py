"""Objectives: what wins, what every plan needs, what denies a goal, what each objective is worth, what threatens."""
