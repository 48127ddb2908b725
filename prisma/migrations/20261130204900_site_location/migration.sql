-- Where a site is (docs/sites.md). Release 0.2.0 neither reads nor writes it.
ALTER TABLE site ADD COLUMN location jsonb;
