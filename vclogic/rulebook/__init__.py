"""Rules as text: definitions, facts that remember, outcomes and tables, typed beside a game or instead of its own."""
