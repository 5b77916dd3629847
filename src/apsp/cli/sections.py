"""Help in sections: options that several commands share stand under the name of their group."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias, get_args

import click

__all__ = ["Sections", "in_section"]

Section: TypeAlias = Literal["Options", "Input", "Request", "Points", "Run", "Figure", "Messages"]
"""In the order of the help; the first holds what only one command has."""


class _Option(click.Option):
    """An option and the name of its section."""

    def __init__(self, *arguments: Any, section: Section, **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        self.section = section


def in_section(section: Section, *names: str, **attributes: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return `click.option` of an option that help shows in a section."""
    return click.option(*names, cls=_Option, section=section, **attributes)


class Sections(click.Command):
    """A command whose help lists its own options first, then those of each section."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options into the formatter."""
        sections: dict[Section, list[tuple[str, str]]] = {name: [] for name in get_args(Section)}
        for option in self.get_params(ctx):
            record = option.get_help_record(ctx)
            if record is not None:
                is_help = ctx.help_option_names[-1] in option.opts
                own = option.section if isinstance(option, _Option) else "Options"
                sections["Messages" if is_help else own].append(record)
        for name, records in sections.items():
            if records:
                with formatter.section(name):
                    formatter.write_dl(records)
