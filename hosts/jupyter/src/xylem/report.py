"""Reports that the viewer shows, as tables of a notebook: of a cutflow, of the doctor, and of all others."""

from __future__ import annotations

from html import escape
from typing import Any, Iterator


class Table:
    """
    A table of a report. ``columns`` are its titles; ``table["Entries"]`` are the values of a column, by title or id, None where a
    row has none.
    """

    def __init__(self, data: dict[str, Any]):
        self.name: str = str(data["id"])
        self.title: str = str(data.get("title") or "")
        self._columns: list[dict[str, Any]] = data["columns"]

    @property
    def columns(self) -> list[str]:
        """The titles of the columns."""
        return [str(column["title"]) for column in self._columns]

    def __len__(self) -> int:
        return len(self._columns[0]["values"]) if self._columns else 0

    def __getitem__(self, name: str) -> list[Any]:
        for key in ("title", "id"):
            for column in self._columns:
                if column[key] == name:
                    return list(column["values"])
        raise KeyError(f"There is no column {name!r}; there are {', '.join(self.columns)}.")

    def to_pandas(self) -> Any:
        """Returns the values as a pandas.DataFrame. Needs pandas."""
        try:
            import pandas as pd
        except ImportError as missing:
            raise ImportError("to_pandas makes a DataFrame of pandas, which is not installed here: %pip install pandas.") from missing
        return pd.DataFrame({str(column["title"]): column["values"] for column in self._columns})

    def _repr_html_(self) -> str:
        """Returns the table as the viewer shows it."""
        aligned = ["left" if column["unit"] in ("text", "grade") else "right" for column in self._columns]
        head = "".join(f'<th style="text-align:{side}">{escape(title)}</th>' for side, title in zip(aligned, self.columns))
        rows = "".join(
            "<tr>" + "".join(f'<td style="text-align:{side}">{escape(str(text))}</td>' for side, text in zip(aligned, row)) + "</tr>"
            for row in zip(*(column["texts"] for column in self._columns))
        )
        title = f"<caption>{escape(self.title)}</caption>" if self.title else ""
        return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"

    def __repr__(self) -> str:
        return f"Table({self.title or self.name!r}, {len(self)} rows: {', '.join(self.columns)})"


class Report:
    """A report of the viewer. ``report["cutflow"]`` is a table by its name or title, ``report[0]`` the first one."""

    def __init__(self, data: dict[str, Any]):
        self.title: str = str(data["title"])
        self.verdict: dict[str, str] | None = data.get("verdict")
        self.text: list[str] = data["text"]
        #: Facts by their labels.
        self.facts: dict[str, Any] = {str(fact["label"]): fact["value"] for fact in data["facts"]}
        self._facts: list[dict[str, Any]] = data["facts"]
        self.tables: list[Table] = [Table(table) for table in data["tables"]]
        self.notes: list[str] = data["notes"]
        #: Reports within this one.
        self.parts: list[Report] = [Report(part) for part in data["parts"]]

    def __getitem__(self, name: str | int) -> Table:
        if isinstance(name, int):
            return self.tables[name]
        for table in self.tables:
            if name in (table.name, table.title):
                return table
        raise KeyError(f"There is no table {name!r}; there are {', '.join(table.name for table in self.tables)}.")

    def __iter__(self) -> Iterator[Table]:
        return iter(self.tables)

    def __len__(self) -> int:
        return len(self.tables)

    def _repr_html_(self) -> str:
        return "".join(self._lines(3))

    def _lines(self, level: int) -> Iterator[str]:
        yield f"<h{level}>{escape(self.title)}</h{level}>"
        if self.verdict is not None:
            yield f"<p>{escape(self.verdict.get('text') or self.verdict['grade'])}</p>"
        for text in self.text:
            yield f"<p>{escape(text)}</p>"
        facts = [fact for fact in self._facts if fact["text"]]
        if facts:
            yield "<p>" + "; ".join(f"{escape(str(fact['label']))}: {escape(str(fact['text']))}" for fact in facts) + "</p>"
        for table in self.tables:
            yield table._repr_html_()
        for part in self.parts:
            yield from part._lines(min(6, level + 1))
        for note in self.notes:
            yield f"<p><small>{escape(note)}</small></p>"

    def __repr__(self) -> str:
        return f"Report({self.title!r}, {len(self.tables)} tables)"
