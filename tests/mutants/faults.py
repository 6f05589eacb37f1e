"""All small faults that can be made of a source, and a sample of them that is the same tomorrow."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import parso
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator
from parso.tree import NodeOrLeaf

KINDS = {
    "number": ("NumberReplacer",),
    "truth": ("ReplaceTrueWithFalse", "ReplaceFalseWithTrue"),
    "condition": ("AddNot", "ReplaceAndWithOr", "ReplaceOrWithAnd", "ReplaceUnaryOperator_Delete_Not"),
    "loop": ("ZeroIterationForLoop", "ReplaceBreakWithContinue", "ReplaceContinueWithBreak"),
    "except": ("ExceptionReplacer",),
    "sign": ("ReplaceUnaryOperator_USub_UAdd",),
    "comparison": tuple(
        f"ReplaceComparisonOperator_{pair}"
        for pair in (
            *("Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt", "Lt_Gt", "LtE_GtE", "Gt_Lt", "GtE_LtE"),
            *("Eq_NotEq", "NotEq_Eq", "Eq_LtE", "Eq_GtE", "Is_IsNot", "IsNot_Is"),
        )
    ),
    "arithmetic": tuple(
        f"ReplaceBinaryOperator_{pair}"
        for pair in (
            "Add_Sub",
            "Sub_Add",
            "Mul_FloorDiv",
            "FloorDiv_Mul",
            "Mod_FloorDiv",
            "BitAnd_BitOr",
            "BitOr_BitAnd",
        )
    ),
}
"""What cosmic-ray changes. Left out is what ends at once in a TypeError."""


class Membership(Operator):
    """Turn `in` and `not in` around, which cosmic-ray leaves alone: most of our rules ask who is among whom."""

    def mutation_positions(self, node: NodeOrLeaf) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        """Find the operator in a comparison."""
        if node.type == "comparison" and node.children[1].get_code().strip() in ("in", "not in"):
            yield node.children[1].start_pos, node.children[1].end_pos

    def mutate(self, node: NodeOrLeaf, index: int) -> NodeOrLeaf:  # noqa: ARG002 (there is one)
        """Turn it around."""
        turned = " in" if node.children[1].get_code().strip() == "not in" else " not in"
        node.children[1] = parso.parse(turned)
        return node

    @classmethod
    def examples(cls) -> tuple[()]:
        """None; cosmic-ray asks for them in its own tests."""
        return ()


OPERATORS: list[tuple[str, Operator]] = [
    *((kind, get_operator(f"core/{name}")()) for kind, names in KINDS.items() for name in names),
    ("membership", Membership()),
]


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a source can be changed, and how; known by what stands there, so that other lines may come and go."""

    module: str
    within: str
    kind: str
    line: str
    column: int
    repeated: int
    """How many times the same stood in the same function before."""


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One change of one source."""

    module: str
    within: str
    was: str
    becomes: str
    line: int
    source: str
    """The whole module with the fault."""

    @property
    def name(self) -> tuple[str, str, str, str]:
        """What it is called in the list of equivalent ones."""
        return self.module, self.within, self.was, self.becomes

    def __str__(self) -> str:
        return f"{self.module}:{self.line} ({self.within})\n    - {self.was}\n    + {self.becomes}"


@dataclass(frozen=True, kw_only=True)
class Variant:
    """One operator, at the nth of the positions where it can do something."""

    operator: Operator
    occurrence: int
    line: int


def places(module: str, source: str) -> dict[Place, list[Variant]]:
    """Find everything that can be changed in a source."""
    lines = source.splitlines()
    counted: Counter[Operator] = Counter()
    seen: dict[tuple[str, str, tuple[int, int]], Place] = {}
    repeated: Counter[tuple[str, ...]] = Counter()
    found: dict[Place, list[Variant]] = {}
    for node in ast_nodes(get_ast(source)):
        for kind, operator in OPERATORS:
            for start, _ in operator.mutation_positions(node):
                variant = Variant(operator=operator, occurrence=counted[operator], line=start[0])
                counted[operator] += 1
                if is_no_rule(node):
                    continue
                line, within = lines[start[0] - 1], name_around(node)
                indent = len(line) - len(line.lstrip())
                if (kind, within, start) not in seen:
                    same = (within, kind, line.strip(), str(start[1] - indent))
                    seen[kind, within, start] = Place(
                        module=module,
                        within=within,
                        kind=kind,
                        line=line.strip(),
                        column=start[1] - indent,
                        repeated=repeated[same],
                    )
                    repeated[same] += 1
                found.setdefault(seen[kind, within, start], []).append(variant)
    return found


ANNOTATION = {"annassign": 1, "tfpdef": 2}
"""Where the type stands in `: type = value` and in `name: type`."""


def is_no_rule(node: NodeOrLeaf) -> bool:
    """Return whether a node is of a type (`int | None` is no sum) or of a decorator (`frozen=True` forbids nothing)."""
    child = node
    while (parent := child.parent) is not None:
        if parent.type in ("annassign", "tfpdef"):
            return child is parent.children[ANNOTATION[parent.type]]
        if parent.type == "decorator" or (parent.type == "funcdef" and parent.annotation is child):
            return True
        child = parent
    return False


def name_around(node: NodeOrLeaf) -> str:
    """Name the functions and classes in which a node stands."""
    names = []
    while (node := node.parent) is not None:
        if node.type in ("funcdef", "classdef"):
            names.insert(0, node.name.value)
    return ".".join(names)


def rank(place: Place, seed: int) -> str:
    """Order places by chance, always in the same way."""
    return hashlib.sha256(repr((seed, place)).encode()).hexdigest()


def make(place: Place, variant: Variant, source: str) -> Fault:
    """Change a source."""
    changed = mutate_code(source, variant.operator, variant.occurrence)
    old, new = source.splitlines(), changed.splitlines()
    first = next(index for index, line in enumerate(old) if line != new[index])
    last = next(back for back in range(1, len(old)) if old[-back] != new[-back])
    was, becomes = (" ".join(map(str.strip, text[first : len(text) - last + 1])) for text in (old, new))
    return Fault(module=place.module, within=place.within, was=was, becomes=becomes, line=first + 1, source=changed)


def sampled(sources: dict[str, str], number: int, seed: int) -> list[Fault]:
    """Choose so many places of some modules, and make one fault at each."""
    found = {place: variants for name, source in sources.items() for place, variants in places(name, source).items()}
    chosen = ((place, rank(place, seed)) for place in sorted(found, key=lambda place: rank(place, seed)))
    made = (make(place, found[place][int(at, 16) % len(found[place])], sources[place.module]) for place, at in chosen)
    return list(islice((fault for fault in made if is_python(fault.source)), number))


def is_python(source: str) -> bool:
    """Return whether a source can be read: `if not found := ...` is no fault that a test has to find."""
    try:
        compile(source, "", "exec")
    except SyntaxError:
        return False
    return True


def can_be_made(name: tuple[str, str, str, str], source: str) -> bool:
    """Return whether a fault with this name can still be made."""
    module, within, was, _ = name
    return any(
        make(place, variant, source).name == name
        for place, variants in places(module, source).items()
        if place.within == within and place.line in was
        for variant in variants
    )
