-- What put a brake on, for the people who look for its cause, and the part of its group that it still holds (docs/cleaning.md#the-brake). A server of the
-- release before holds the whole group.
ALTER TABLE brake
  ADD COLUMN failures uuid[] NOT NULL DEFAULT '{}',
  ADD COLUMN narrowed_to jsonb,
  ADD COLUMN narrowed_at timestamptz(3),
  ADD COLUMN narrowed_by uuid,
  ADD CONSTRAINT brake_part_check CHECK (narrowed_to IS NULL OR (jsonb_typeof(narrowed_to) = 'array' AND narrowed_to <> '[]' AND narrowed_at IS NOT NULL));
