-- Who stored a session: row-level security asks for it, see docs/store.md. All ids come from one
-- sequence.
ALTER TABLE session ADD COLUMN owner TEXT NOT NULL DEFAULT current_user;

CREATE SEQUENCE ids;

-- The large tables are in parts by session, a million ids in each (PARTITION_IDS): old sessions go
-- by whole parts, and what is stored or deleted touches the index of one.
CREATE TABLE content (
    session BIGINT NOT NULL, message BIGINT NOT NULL, body TEXT NOT NULL
) PARTITION BY RANGE (session);

-- The full-text index, and its distinct words.
CREATE TABLE search (
    session BIGINT NOT NULL, message BIGINT NOT NULL, document TSVECTOR NOT NULL
) PARTITION BY RANGE (session);

CREATE TABLE word (word TEXT PRIMARY KEY);

CREATE INDEX message_by_id ON message (id);

CREATE INDEX content_by_message ON content (message);

CREATE INDEX search_by_message ON search (message);

CREATE INDEX search_document ON search USING gin (document);

-- With its owner's rights: who only writes may make no tables. It waits for nobody who reads or
-- writes, and nobody waits for it but others who make the same part.
CREATE FUNCTION add_partition(number BIGINT) RETURNS VOID LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    parent TEXT; part TEXT;
BEGIN
    PERFORM pg_advisory_xact_lock(1634562156, 2);
    FOREACH parent IN ARRAY ARRAY['message', 'content', 'search'] LOOP
        part := parent || '_' || number;
        IF NOT EXISTS (SELECT FROM pg_tables
                       WHERE tablename = part AND schemaname = current_schema) THEN
            EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', part, parent);
            EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)',
                           parent, part, number * 1000000, (number + 1) * 1000000);
        END IF;
    END LOOP;
END
$$;

REVOKE EXECUTE ON FUNCTION add_partition(BIGINT) FROM PUBLIC;
