"""The life of a game: its seats, its steps, and when its rounds close.

A closing has three stations, and each calls only the next one:

1. due: `schedule.due_rounds` finds the rounds whose time has come (`closing_time` says when that is);
2. resolved: `steps` lets the engine resolve them and writes each as a step;
3. announced: `announcements` writes the bulletins of a step.
"""
