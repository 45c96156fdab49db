"""Words that any line about work may have: none of them alone names a part of a project, or a subject."""

from __future__ import annotations

GENERIC_WORDS = frozenset(
    """
    error errors clean branch branches port ports call calls commit commits content preference preferences failure
    failures handle handles handled hardcoded tried tries eliminate eliminates constant constants local interface entire
    whole file files folder folders path paths line lines code function functions method methods class classes module
    modules package field fields value values name names type types data text string strings number numbers list lists
    key keys item items object objects state states status model case cases test tests testing check checks change
    changes changed fix fixes fixed bug bugs issue issues problem problems cause causes reason reasons result results
    way ways thing things part parts step steps work works working user users person people team day days week weeks
    time times date dates version versions update updates default defaults option options flag flags setting settings
    config configuration parameter parameters argument arguments input output log logs message messages read write
    reads writes run runs running start starts started stop stops end ends open close create created creates add added
    adds remove removed removes rename renamed move moved replace replaced use used using need needs keep kept keeps
    make makes made take takes get gets set sets send sends show shows shown find finds found give gives return returns
    match matches matched missing empty existing existed new old first last next previous current present main both same
    different other single multiple several full correct wrong right good bad real true false null none side back
    question questions answer answers decision decisions lesson lessons note notes comment comments review reviews
    session sessions conversation agent agents project projects repo repository build builds release releases deploy
    deployment server client request requests response responses api app page pages table tables column row rows record
    records query queries service services job jobs task tasks process processes event events rate limit limits size
    count counts total average month months year years hour hours minute minutes second seconds friday monday tuesday
    wednesday thursday saturday sunday pattern patterns convention rule rules approach about instead because always
    never only still again already now then here there everything something nothing prefix suffix root base source
    target support supports supported handler handlers helper wrapper feature features behavior behaviour effect cost
    worker workers struct structs active mode modes simple directory directories member wrapper whole instance
    worktree worktrees checkout stash customer customers client clients guest guests
    """.split()  # noqa: SIM905
)
"""Words that any line may have; none is the name of a part."""
TYPES_AND_TOOLS = frozenset(
    """
    json jsonl yaml toml csv xml html css sql pdf png svg md markdown http https url uri api apis readme todo todos pr
    prs ci cd cli ui ux id ids uuid utc gmt utf ascii ok faq rfc ssh tls ssl dns ip tcp udp cpu gpu ram ssd bash edit
    read write grep glob task agent skill webfetch websearch todowrite multiedit askuserquestion exitplanmode git github
    gitlab npm pnpm yarn pip docker make curl pytest ruff mypy eslint claude codex gemini cursor copilot windsurf aider
    vscode vim python javascript typescript rust java ruby null none true false error warning note fixme wip eof stdin
    stdout stderr linux macos windows ubuntu chrome firefox safari slack zoom jira
    """.split()  # noqa: SIM905
)
"""Names of formats, protocols, tools and agents: what a project is made with, and no part or subject of it."""
