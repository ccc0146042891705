"""The command that runs studies: `study`."""

from __future__ import annotations

import click

from vclogic.cli.options import FORMAT, Reply, Settings, output_file, settings_of
from vclogic.cli.terminal import progress_shown


def _varied(context: click.Context, parameter: click.Parameter, words: tuple[str, ...]) -> Settings:
    """The names of what varies, with their values after the last `=`: a piece of a rulebook may hold one too."""
    apart = (w.rpartition("=") for w in words)
    return settings_of(context, parameter, words) and [(name.strip(), values.strip()) for name, _, values in apart]


def _report(context: click.Context, parameter: click.Parameter, path: str | None) -> str | None:
    """The name of a report, which is written after all games are played."""
    if path is not None:
        from vclogic.report.study_page import check_name

        check_name(path)
    return output_file(context, parameter, path)


@click.command()
@click.argument("file", metavar="STUDY.yaml")
@click.option(
    "-o",
    "--output",
    "folder",
    metavar="FOLDER",
    help="Where its rows are kept, as Parquet. Default: STUDY-rows.",
)
@click.option(
    "--vary",
    multiple=True,
    metavar="NAME=VALUES",
    callback=_varied,
    help="An option, a Reading or a number of the text with other values: a range 4..8, or a,b,c; may be repeated.",
)
@click.option("--find", metavar="WHAT", help="'win rate of SIDE = 0.5': which value of the varied number gives it.")
@click.option(
    "--workers", type=click.IntRange(1, 1024), metavar="N", help="So many processes; by default one a core."
)
@click.option("--on", metavar="ADDRESS", help="Workers of a Dask scheduler instead, such as tcp://10.0.0.1:8786.")
@click.option(
    "--report", metavar="FILE.html|FILE.md", callback=_report, help="Also write charts and tables, for people."
)
@FORMAT
def study(
    file: str,
    folder: str | None,
    vary: Settings,
    find: str | None,
    workers: int | None,
    on: str | None,
    report: str | None,
) -> Reply:
    """Play many games, or ask a question under many settings; stopped, it goes on where it was."""
    from vclogic.studies.answer import study as studied

    with progress_shown() as progress:
        answer = studied(file, folder, vary=vary, find=find, on=on, workers=workers, progress=progress)
    if report is not None:
        from vclogic.report.study_page import write_report

        answer = write_report(answer, report)
    return Reply("study", answer)
