-- Until when a permitted request may still reach the hardware: for so long the lease of its host is kept, also when its controller stops or dies.
-- A controller of the release before this one leaves it empty; then a permit counts for the longest time that one may hold.
ALTER TABLE "effect" ADD COLUMN "held_until" TIMESTAMPTZ(3);
