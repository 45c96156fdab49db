"""`python -m recall_tui` is `recall-tui`."""

from recall_tui.cli.main import main

if __name__ == "__main__":
    main()
