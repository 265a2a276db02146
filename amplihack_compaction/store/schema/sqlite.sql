-- The message's text, redacted, beside it.
CREATE TABLE content (
    message INTEGER PRIMARY KEY REFERENCES message (id) ON DELETE CASCADE,
    body TEXT NOT NULL
);

-- The full-text index without a copy of the text, its distinct words, and their trigrams.
CREATE VIRTUAL TABLE search USING fts5 (
    body, content='', tokenize='unicode61 remove_diacritics 2'
);

CREATE VIRTUAL TABLE search_word USING fts5vocab (search, 'row');

CREATE TABLE word (id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE);

CREATE VIRTUAL TABLE word_part USING fts5 (
    word, content='word', content_rowid='id', tokenize='trigram', detail=none
);
