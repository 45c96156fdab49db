"""The place that packages of others import a piece from; it lies in `agents.pieces.own_file`."""

from recall_tui.agents.pieces.own_file import OwnFile as OwnFile
