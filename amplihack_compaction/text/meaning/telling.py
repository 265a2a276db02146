"""Tell a sentence that reports from one that asks, and the user's own change of mind from both.

Both are read in plain, folded text: see `idioms.plain`.
"""

import re

_ASKED = re.compile(
    r"(?<!\w)(?:asked (?:about|why|how|what|where|when|whether)|wanted to know|talked about)(?!\w)"
)
# What was done or found, as against what is to be done.
_REPORT = re.compile(
    r"(?<!\w)(?:was|were|(?:has|have|had) been|got|lies? on|(?:has|have|had) (?:a|an|its|their|two"
    r"|three|four|five|some|several|no|\d+)|(?:i|we|assistant) (?:\w+ed|ran|read|wrote|made|found)"
    r"|made|found|passed|came|worked|took|printed|returned|showed|started|stopped"
    r"|happened|appeared|finished|asked|went|said)(?!\w)"
    r"|\A\W*(?:(?!need|feed|embed|used)\w+ed|ran|wrote|read|built)(?!\w)"
)
_DIRECTIVE = re.compile(
    r"(?<!\w)(?:must|never|always|only|should|shall|may|can|cannot|could|would|will|has to|have to"
    r"|had to|to be|needs?|required?|requires|requirement|not|n't|no|without|unless|forbidden"
    r"|prohibited|banned|mandatory|optional|allowed|permitted|prefers?|preferred|wants?|wanted"
    r"|wishes|demands?|insists?|expects?|asked (?:to|for|that|not)|told|requested|instructed"
    r"|reminded|warned|agreed|decided|decision|decisions|convention|rules?|constraints?|policy"
    r"|guidelines?|preferences?|instead|rather|every|each|all|avoid|don't|fine|ok|welcome|use"
    r"|is|are|keep|ensure|lifted|withdr\w+|revoked|waived|dropped|restriction|ban)(?!\w)|(?<=\w)n't(?!\w)"
)
# The user's own change of mind, as a summary tells it.
_USER = re.compile(r"(?<!\w)(?:users?|user's|usuario|usuário|nutzer|benutzer)(?!\w)|用户")
_TAKEN_BACK = re.compile(
    r"(?<!\w)(?:withdr[ae]w\w*|revoked|retracted|rescinded|cancell?ed|call(?:ed|s)? off|given? up"
    r"|gave up|abandon(?:ed|s)|put (?:\w+ ){0,9}(?:aside|on ice|on hold)|postponed|supersede[ds]"
    r"|(?:raised|reduced|lowered|increased|extended|changed|moved)(?: [\w-]+){0,12}? (?:to|from)"
    r"|no longer (?:insist|want|mind|care|require)\w*|replaced|switched|went back"
    r"|chang(?:ed|es) (?:his|her|their|its) mind|changed? (?:by|that)"
    r"|overr(?:ode|uled|idden)|reversed|reconsidered|after all|off the list|decided not to"
    r"|(?:dropped|lifted|waived) (?:the|by|for now)|(?:dropped|lifted|waived|off) by"
    r"|no longer wanted|not wanted any|moved from|(?:first|initially|originally|at first)"
    r"(?=.{0,90}(?<!\w)(?:then|later|since|now|but)(?!\w)))(?!\w)|取消了?|改变了|后来"
)
_CHANGED = re.compile(
    r"(?<!\w)(?:lifted|waived|relaxed|dropped|moved|changed|raised|reduced|lowered|increased"
    r"|opted|no longer|any ?more|any longer|since|later|then|now|said (?:not )?to|allow(?:s|ed)"
    r"|permit(?:s|ted)|no reason)(?!\w)|不再|改用|改为|现在"
)


def reports(folded: str) -> bool:
    """Return whether folded text only tells what was or is, and asks for nothing."""
    if _ASKED.search(folded) is not None:
        return True
    return _REPORT.search(folded) is not None and _DIRECTIVE.search(folded) is None


def taken_back(folded: str) -> int:
    """Return 2 where folded text says that the user has changed their mind, 1 where it may."""
    if _USER.search(folded) is None:
        return 0
    return 2 if _TAKEN_BACK.search(folded) else int(_CHANGED.search(folded) is not None)
