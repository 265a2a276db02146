"""Pick the main chain of a window: the ancestors of its newest leaf, and what belongs to them.

The transcript is a tree. A rewound prompt stays in the file as a branch of its own; what was
said on it was taken back. Strict ancestry alone would lose too much, for parallel tool calls
fork too: each call of one message hangs off the previous one, and its result hangs off the call.
A conversation that was rewound to its very beginning goes on below its last entry, as if nothing
had been; only the number of the prompt's turn, 1 again, tells.
"""

from amplihack_compaction.transcript.nodes import Kind, Node

_CONVERSATION = (Kind.PROMPT, Kind.ASSISTANT, Kind.RESULT)


def main_chain(nodes: list[Node], leaf_uuid: str | None = None) -> list[Node]:
    """Return the nodes of the main chain in file order.

    `leaf_uuid` names the leaf where it is known: a boundary's `logicalParentUuid`. Otherwise
    the last conversation node is the leaf. Where a parent is missing, or a second root
    appears, the chain goes on with the node before it in the file.
    """
    index = {node.uuid: place for place, node in enumerate(nodes)}
    leaf = _leaf(nodes, index, leaf_uuid)
    if leaf is None:
        return []
    chosen = _ancestors(nodes, index, leaf)
    _add_companions(nodes, index, chosen)
    return [node for place, node in enumerate(nodes) if place in chosen]


def _leaf(nodes: list[Node], index: dict[str, int], leaf_uuid: str | None) -> int | None:
    if leaf_uuid is not None and leaf_uuid in index:
        return index[leaf_uuid]
    for place in range(len(nodes) - 1, -1, -1):
        if nodes[place].kind in _CONVERSATION:
            return place
    return len(nodes) - 1 if nodes else None


def _ancestors(nodes: list[Node], index: dict[str, int], leaf: int) -> set[int]:
    chosen: set[int] = set()
    place = leaf
    while place >= 0 and place not in chosen:
        chosen.add(place)
        if _begins_anew(nodes, place):
            break
        parent = nodes[place].parent
        # Parents come first in the file; one that does not would be a loop or a torn copy.
        above = index.get(parent, -1) if parent is not None else -1
        place = above if 0 <= above < place else place - 1
    return chosen


def _begins_anew(nodes: list[Node], place: int) -> bool:
    """Return whether a prompt is its conversation's first although others came before it."""
    turn = nodes[place].turn
    if turn is None or turn[0] != 1:
        return False
    earlier = (nodes[above] for above in range(place - 1, -1, -1))
    before = next((node for node in earlier if node.kind is Kind.PROMPT), None)
    return before is not None and before.turn is not None and before.turn[1] != turn[1]


def _add_companions(nodes: list[Node], index: dict[str, int], chosen: set[int]) -> None:
    """Add the tool results, parallel calls and attachments that hang off the chain."""
    message_ids = {nodes[place].message_id for place in chosen if nodes[place].message_id}
    for place, node in enumerate(nodes):
        parent = index.get(node.parent, -1) if node.parent is not None else -1
        if place in chosen or parent not in chosen or node.kind is Kind.PROMPT:
            continue
        if node.kind is not Kind.ASSISTANT or node.message_id in message_ids:
            chosen.add(place)
