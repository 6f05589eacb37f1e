"""Boards, racks, dice, pegs and curves, drawn as SVG for pages and as tables for mails. Pure: values in, markup out."""
