"""Words and sentences made comparable: stems, synonyms, languages, who says yes or no to what.

Text in, signs for a comparison out.
"""
