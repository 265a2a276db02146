-- The full-text index and its distinct words; all ids come from one sequence.
CREATE SEQUENCE ids;

CREATE TABLE search (
    message BIGINT PRIMARY KEY REFERENCES message (id) ON DELETE CASCADE,
    document TSVECTOR NOT NULL
);

CREATE INDEX search_document ON search USING gin (document);

CREATE TABLE word (word TEXT PRIMARY KEY);
