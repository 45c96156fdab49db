"""Words without topical meaning.

Every word is lowercase, at least three characters long and free of apostrophes; other words could never match.
"""

from __future__ import annotations

_FUNCTION_WORDS = """
about above across after again against all almost along already also although always among and another any anybody
anyone anything anyway are around away back because been before being below between both but came can cannot cant come
comes coming could did didnt does doesnt doing done dont down during each either else enough even ever every everyone
everything for from front had has have having hence her here hers herself him himself his how however into isnt its
itself just later least less let like likely many may maybe might mine more most mostly much must myself near neither
never next nobody none nor not nothing now off often once one only onto other others our ours ourselves out over own
per perhaps quite rather really same shall she should since some somebody someone something sometimes somewhere soon
still such than that the their theirs them themselves then there therefore these they thing things this those though
three through thus together too toward towards two under unless until upon very via was way ways well were what
whatever when whenever where whether which while who whole whom whose why will with within without would yet you your
yours yourself
"""
_CHAT_WORDS = """
absolutely actually additional ahead alright appear appears automatically based awesome basically believe better bit
bye certainly cool correct currently definitely dear different easier easy else exactly fine first glad good got gotta
gonna full great guess guys hello help helpful hey hmm hopefully idea instead kind kinda know last lets literally look
looking looks lot lots mean means nice nope okay once perfect please possible pretty probably question questions quick
quickly right said say says second see seems simple simply sorry sort sounds stuff suggest super sure talk tell thank
thanks think thought today tomorrow totally trying understand wait wanna want wanted wants wish wonder work worked
working works wow wrong yeah yep yes yesterday
"""
_MANNER_WORDS = """
agree agreed agrees decide decided decides deciding disagree discuss discussed discussing feedback feel felt hard harder
hear heard hope hoping opinion parent parents push pushed pushes pushing view viewed viewing views
"""
_AGENT_WORDS = """
add added adding adds agent ask asked assistant change changed changes changing check checked checking claude code
codebase command commands complete completed continue create created creates creating current default delete deleted
directory directories edit edited editing ensure example examples execute existing explain fail failed failing fails
file files find finish finished fix fixed fixes fixing folder folders follow following found function functions
generate generated get gets getting give given gives going handle implement implementation implemented implementing
include includes including issue issues item items job keep left line lines list long made make makes making method
missing move moved name named need needed needs new note number old open output part pass path paths place plan
problem problems project proper properly provide put puts reading remove removed removing rename repo repository
request result results return returns review run running runs script session set sets setting show shows shown start
started starting step steps stop support supposed take takes task tasks test tested testing tests text time times todo
tool tools turn type understand update updated updates updating use used user users uses using value values version
void yourselves write writes writing written xxx
"""
_TOOL_NAMES = """
bash read write edit multiedit glob grep task todowrite todoread webfetch websearch notebookedit notebookread
exitplanmode bashoutput killshell killbash slashcommand skill agent shell apply_patch update_plan exec_command
local_shell read_file write_file edit_file list_dir run_shell_command replace search_file_content read_many_files
toolsearch askuserquestion enterplanmode exit_plan_mode taskcreate taskupdate taskoutput taskstop lsp
"""

STOP_WORDS: frozenset[str] = frozenset(
    (_FUNCTION_WORDS + _CHAT_WORDS + _MANNER_WORDS + _AGENT_WORDS + _TOOL_NAMES).split()
)
"""English function words, chat filler, coding-agent filler and the names of agents' tools."""
