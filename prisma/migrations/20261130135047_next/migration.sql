-- Groups of things that need a person: since when somebody has one, and why it is snoozed.
ALTER TABLE failure_note ADD COLUMN owned_since timestamptz(3), ADD COLUMN snooze_reason text;

-- Which groups there were when they were looked at last, so that what opens and closes is told to webhooks, and when there was one last.
CREATE TABLE next_group (
  key text NOT NULL,
  kind text NOT NULL,
  title text NOT NULL,
  opened_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  closed_at timestamptz(3),
  CONSTRAINT next_group_pkey PRIMARY KEY (key)
);
CREATE INDEX next_group_kind_closed_at_idx ON next_group (kind, closed_at);
