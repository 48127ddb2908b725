-- Groups of things that need a person: since when somebody has one, and why it is snoozed.
ALTER TABLE failure_note ADD COLUMN owned_since timestamptz(3), ADD COLUMN snooze_reason text;
