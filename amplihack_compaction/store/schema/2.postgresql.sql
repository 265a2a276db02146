-- Who stored a session: row-level security asks for it, see docs/store.md.
ALTER TABLE session ADD COLUMN owner TEXT NOT NULL DEFAULT current_user;
