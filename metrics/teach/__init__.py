"""What a student is asked before a program takes its steps, and whether an answer is right."""
