from __future__ import annotations
import json, sys, io, time
import pytest
from tests.trust import hostile
from tests.trust.planted import planted, WORD
from tests.cli.conftest import recall  # noqa
from tests.makers import session_id_of

READ = [("status",), ("dashboard",), ("list",), ("list","all"), *[("list",k) for k in ("daily","weekly","monthly","wiki","typed","insight")],
 ("read","2026-03-05"),("read","2026-W09"),("read","2026-02"),("read","evil"),("read","wisdom"),("show","memory"),("show","1"),("show","topic"),
 ("show", session_id_of(1)), ("show","memory/MEMORY.md:1-9"),
 ("search",WORD),("search","-C","2",WORD),("search","--ranked",WORD),("search","--ranked","--explain","--passages",WORD),
 ("recall",WORD),("recall","--raw",WORD),("recall",),("consume",),("distill",),("distill","--apply","all","--dry-run"),("compact","--dry-run"),("compact","all","--dry-run"),
 ("wiki","list"),("wiki","show","evil"),("wiki","show","moved"),("wiki","show","broken"),("wiki","lint"),("wiki","knowledge-map"),("wiki","targets"),("wiki","status"),("wiki","rebuild","evil","--dry-run"),
 ("wiki","migrate-typed-memories","--dry-run"),("wiki","migrate-insights","--dry-run"),("wiki","supersede","evil"),
 ("dream","--dry-run"),("dream","status"),("dream","--phase","gather"),("dream","--phase","analyze"),("review",),("review","list","--all"),("review","show","{id}"),("review","accept","{id}","--dry-run"),
 ("undo","--list"),("index","status"),("sync",),("doctor",),("doctor","--deep"),("redact","--check"),("config","show"),("ledger","--calls"),("agents","--log"),
 ("export","--all","--format","html"),("export","--all","--format","md"),("export","--search",WORD,"--format","html"),("summarize","--dry-run"),("synthesize","--dry-run"),("migrate","--dry-run"),("log","x"),
 ("forget","1","--dry-run"), ("archive","--all-unarchived"), ("status",),("dashboard",),("list","all"),("search","--ranked",WORD),("undo","--list"),("doctor",),("consume",)]


from tests.trust.calling import called
@pytest.mark.parametrize("layout", ["entity","user","project","hierarchical"])
def test_x(places, layout):
    b = planted(places, hostile.every_text(), layout)
    from recall_tui.storage import proposals
    pid = proposals.every(b.store)[0].id
    bad = 0
    for words in READ:
        words = [w.replace("{id}", pid) for w in words]
        for extra in ([], ["--no-color","TTY"], ["--json"]):
            t=time.time()
            try: said = called(places, "--root", str(b.layout.root), *words, *[x for x in extra if x!="TTY"], on_terminal="TTY" in extra)
            except BaseException as e:
                print("EXC", words, extra, repr(e)[:300]); bad+=1
                import traceback; traceback.print_exc(limit=-4); continue
            dt=time.time()-t
            tty="TTY" in extra
            esc = (hostile.escapes(said.out) if tty else [])+hostile.escapes(said.err) 
            note=""
            if "Traceback" in said.err: note="TB"
            if extra==["--json"]:
                try: json.loads(said.raw) if said.out.strip() else None
                except Exception as e: note="NOJSON "+repr(e)[:80]+said.out[:100]
                if not said.out.strip(): note += " EMPTYJSON"
                esc=hostile.escapes(said.err)+[repr(c) for c in said.out if ord(c)<32 and c not in "\n"]
            if not extra and words[0] not in ("read","show","consume","export"): esc+=hostile.escapes(said.out)
            if esc or note or said.code not in (0,1,2) or dt>2:
                bad+=1
                print("!!", words, extra, said.code, f"{dt:.1f}", note, len(esc), esc[:2], said.err[:150].encode() if said.code else "")
            else: print("ok", words, extra, said.code, len(said.out), said.err[:90].replace("\n"," ").encode() if said.code else "")
    print("BAD", bad)
