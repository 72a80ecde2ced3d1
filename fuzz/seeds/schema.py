from dataclasses import dataclass

@dataclass
class Row:
    """A row of a table."""
    name: str  # its name
    values: list[float]
    notes: dict[str, str]
    is_total: bool

@dataclass
class Memory:
    rows: dict[str, Row]
    count: int
