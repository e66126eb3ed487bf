"""`python -m dtbuild` is the `dtbuild` command."""

from dtbuild.cli.main import run

if __name__ == "__main__":
    run()
