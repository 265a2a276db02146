"""What a short prompt answers: the options, the question, what was done before it.

A prompt and what the model said before it in, what was meant out.
"""
