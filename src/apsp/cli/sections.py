"""Help in sections: options that several commands share stand under the name of their group."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias, get_args

import click

__all__ = ["Sections", "in_section"]

Section: TypeAlias = Literal["Options", "Input", "Request", "Points", "Run", "Figure", "Messages"]
"""In the order of the help; the first holds what only one command has."""


Decorator: TypeAlias = Callable[[Callable[..., Any]], Callable[..., Any]]


def in_section(section: Section, *options: Decorator) -> list[Decorator]:
    """Return decorators that add the options of `click.option`, which help shows in a section."""

    def named(option: Decorator) -> Decorator:
        def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
            decorated: Any = option(function)
            decorated.__click_params__[-1].section = section
            return decorated  # type: ignore[no-any-return]

        return decorate

    return list(map(named, options))


class Sections(click.Command):
    """A command whose help lists its own options first, then those of each section."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options into the formatter."""
        sections: dict[Section, list[tuple[str, str]]] = {name: [] for name in get_args(Section)}
        for option in self.get_params(ctx):
            record = option.get_help_record(ctx)
            if record is not None:
                is_help = ctx.help_option_names[-1] in option.opts
                section: Section = "Messages" if is_help else getattr(option, "section", "Options")
                sections[section].append(record)
        for name, records in sections.items():
            if records:
                with formatter.section(name):
                    formatter.write_dl(records)
